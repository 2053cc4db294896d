"""French words that the guide is searched by."""

from __future__ import annotations

PILE = "pile"
"""What stands before the name of the game for its pile."""
CALLS = ("dire", "dit", "dis", "crier", "crie", "crié", "annoncer", "annonce", "annoncé")
ASKED = (
    "qu'est-ce que {}", "qu'est-ce que le {}", "comment joue-t-on à {}", "comment jouer à {}", "comment on joue à {}",
    "règles de {}", "règles du {}",
)  # fmt: skip
"""How people ask what game it is."""

SAME: tuple[tuple[str, ...], ...] = (
    ("must", "dois", "doit", "devoir", "obligé", "obligatoire", "faut-il", "il faut", "obligation"),
    ("Lake", "centre", "milieu", "base", "bases", "zone commune", "fondation", "fondations"),
    ("River", "rangée", "ligne", "tableau", "zone de construction"),
    ("Stream", "talon", "pioche", "défausse", "stock"), ("Nertz pile", "pile de treize", "ma pile", "réserve"),
    ("pile", "pile", "tas", "paquet"), ("column", "colonne"), ("deck", "jeu de cartes", "paquet de cartes"),
    ("joker", "joker"),
    ("slot", "trou", "espace", "place libre", "emplacement", "place vide", "case", "colonne vide"),
    ("empty", "vide", "vider"), ("card", "carte"), ("ace", "as"), ("queen", "dame", "reine"), ("king", "roi"),
    ("suit", "enseigne"), ("colour", "couleur"), ("point", "point"),
    ("score", "score", "marque", "marquer", "barème"),
    ("count", "compter", "compte", "comptent", "comptage", "comptons"),
    ("negative", "négatif", "négative", "sous zéro", "moins de zéro", "en dessous de zéro", "points négatifs"),
    ("left over", "restant", "restante", "restantes", "qui reste", "qui restent", "en trop"),
    ("half", "demi-point", "demi-points", "demi", "moitié"), ("bonus", "bonus", "prime"), ("round", "manche"),
    ("target", "objectif", "but", "jusqu'à combien", "en combien"),
    ("win", "gagner", "gagne", "gagné", "gagnant", "vainqueur", "victoire"),
    ("lose", "perdre", "perd", "perdu", "perds"), ("tie", "égalité", "ex æquo", "ex aequo", "match nul"),
    ("equal", "même score", "mêmes points", "autant de points"),
    ("tie-breaker", "départage", "départager", "prolongation", "belle", "manche décisive"),
    ("same time", "en même temps", "au même moment", "même moment", "simultané", "simultanément", "à la fois"),
    ("first", "premier", "première", "d'abord"), ("last", "dernier", "dernière"), ("late", "retard", "plus tard"),
    ("fast", "rapide", "vite"), ("slow", "lent", "lente", "lentement"),
    ("call", "annonce", "annoncer", "annoncé", "annoncent", "crier", "crie", "crié", "cri", "appel", "appeler"),
    ("start", "commencer", "commence", "commencé", "début", "démarrer", "départ"),
    ("end", "fin", "finir", "finit", "terminer", "termine", "terminé", "terminée", "fini", "finie"),
    ("stop", "arrêter", "arrête", "arrêt"), ("wait", "attendre", "attends", "attend"),
    ("play", "jouer", "joue", "joué", "jouent", "poser", "pose", "posé", "mettre", "mets", "placer", "placé"),
    ("flip", "retourner", "retourne", "retourné", "découvrir"), ("move", "déplacer", "déplace", "bouger", "déplacé"),
    ("face up", "face visible", "visible", "découverte"),
    ("face down", "face cachée", "cachée", "cachées", "couverte"), ("under", "sous", "dessous", "en dessous"),
    ("take back", "reprendre", "reprends", "repris", "retirer", "récupérer"),
    ("hold back", "garder", "garde", "retenir", "retient", "conserver"), ("look", "regarder", "regarde", "voir"),
    ("peek", "espionner", "jeter un œil", "jeter un coup d'œil"), ("touch", "toucher", "touche", "touché"),
    ("opponent", "adversaire", "adversaires", "les autres", "des autres", "voisin", "voisine"),
    ("fall", "tomber", "tombe", "tombé", "tombée", "tombées", "renverser", "renversé", "renversée", "chute"),
    ("floor", "sol", "par terre"), ("missing", "manque", "manquante", "manquant", "perdue"),
    ("wrong", "faux", "fausse", "mauvais", "mauvaise", "mal placée", "incorrect"),
    ("mistake", "erreur", "erreurs", "par erreur", "exprès"), ("cheat", "tricher", "triche", "tricheur", "tricherie"),
    ("penalty", "pénalité", "punition", "sanction", "pénaliser"), ("rule", "règle", "règles"),
    ("dispute", "litige", "dispute", "désaccord", "pas d'accord", "contester", "conteste", "contestée"),
    ("stuck", "bloqué", "bloqués", "bloquée", "coincé", "coincés", "ne peux plus jouer", "plus rien à jouer",
     "plus possible"),
    ("nobody", "personne", "aucun"), ("everybody", "tous", "tout le monde"),
    ("burn", "brûler", "brûle", "brûlée", "brûlé"), ("shuffle", "mélanger", "mélange", "battre", "mélangé"),
    ("cut", "couper", "coupe"), ("deal", "distribuer", "distribue", "donne", "distribution", "donner les cartes"),
    ("time out", "temps mort", "pause", "interruption"), ("toilet", "toilettes", "WC", "pipi"),
    ("watcher", "spectateur", "spectateurs"), ("grab", "prendre", "arracher"), ("emergency", "urgence"),
    ("team", "équipe", "équipes"), ("partner", "partenaire", "partenaires", "coéquipier"),
    ("pair", "paire", "paires"), ("join", "rejoindre", "rejoint", "arriver", "arrive"),
    ("leave", "partir", "quitter", "quitte", "part", "m'en aller"),
    ("change", "changer", "change", "échanger", "changement"), ("child", "enfant", "enfants", "petits", "gamin"),
    ("beginner", "débutant", "débutants", "novice"), ("stand", "debout", "lever", "me lever"),
    ("sit", "s'asseoir", "assis", "assied"), ("seat", "place", "places", "siège"),
    ("talk", "parler", "parle", "bavarder"), ("help", "aider", "aide"),
    ("write", "noter", "note", "écrire", "inscrire"), ("paper", "papier", "feuille"),
    ("scorekeeper", "marqueur", "tient la marque", "tenir la marque", "note les points"), ("photo", "photo", "image"),
    ("different", "différent", "différents", "différente"), ("forget", "oublier", "oublié"),
    ("hold", "tenir", "tiens", "en main", "dans la main"), ("run out", "épuisé", "épuisée", "plus de"),
    ("build", "construire", "construis", "construit"), ("decide", "décider", "décide"),
    ("hand hands", "main", "mains", "gaucher", "gauchère"),
    ("player person", "joueur", "joueurs", "personnes", "gens"), ("number", "nombre", "combien"),
    ("back backs", "dos", "verso"), ("handicap", "handicap", "avantage"), ("side", "camp"),
    ("history", "histoire", "origine", "inventé", "d'où vient"), ("name", "nom", "noms", "appelle"),
    ("slide", "glisser", "glisse"), ("top", "dessus", "du dessus"), ("several", "plusieurs"),
    ("equipment", "matériel", "besoin"), ("table", "table"), ("phone", "téléphone", "portable", "smartphone"),
    ("exactly", "exactement", "pile poil", "juste"), ("worth", "combien vaut", "combien valent", "valeur"),
    ("direction", "sens", "direction"), ("extra", "valent plus", "vaut plus"), ("example", "exemple"),
    ("verify", "vérifier", "vérifie", "vérifié", "contrôler"), ("two", "deux"),
)  # fmt: skip
"""The name of each thing in English, and what it is called; a query for one finds the others."""

IDLE = """
    a à ai ait alors après au aussi autre aux avec avant avez avoir avons c ça car ce cela ces cet cette ceux chaque
    chez ci comme comment d dans de des deux du elle elles en encore entre es est et étais était été être eu eux faire
    fait faut fois fut il ils j je jusqu jusque l la là le les leur leurs lorsque lui m ma mais me même mes moi mon n
    ne ni nos notre nous on ont ou où par parce pas pendant peu peut peux peuvent pour pourquoi pouvoir puis qu quand
    que quel quelle quelles quels quelque qui quoi s sa sans se sera ses si soi soit son sont suis sur t ta te tes toi
    ton très trop tu un une va vais vas vers vont vos votre vous y autorisé permis possible maintenant mamie papi
    maman papa frère sœur tante oncle cousin cousine fils fille mari femme ami amie copain copine quelqu est-ce passe
    passer
"""
"""Words that say nothing in a question: small words, and who of the family asks."""
