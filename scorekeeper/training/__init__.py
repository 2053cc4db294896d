"""What the scripts in datasets/ and models/ share; needs the extra 'train'."""
