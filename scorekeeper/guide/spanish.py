"""Spanish words that the guide is searched by."""

from __future__ import annotations

PILE = "pila"
"""What stands before the name of the game for its pile."""
CALLS = ("cantar", "canto", "canta", "cantó", "cantado", "digo", "dice", "decir", "gritar", "grita")
ASKED = ("qué es {}", "qué es el {}", "cómo se juega a {}", "cómo se juega al {}", "reglas de {}", "reglas del {}")
"""How people ask what game it is."""

SAME: tuple[tuple[str, ...], ...] = (
    ("must", "tengo que", "tienes que", "tiene que", "hay que", "debo", "debe", "obligado", "obligatorio"),
    ("Lake", "centro", "medio", "base", "bases", "zona común"), ("River", "fila", "zona de construcción", "escalera"),
    ("Stream", "mazo", "talón", "descarte", "mazo de robar", "pila de robar"),
    ("Nertz pile", "pila de trece", "mi pila", "pila de reserva", "reserva"), ("pile", "pila", "montón", "montones"),
    ("column", "columna"), ("deck", "baraja"), ("joker", "comodín", "comodines", "joker"),
    ("slot", "hueco", "espacio", "sitio libre", "lugar vacío", "sitio vacío", "columna vacía"),
    ("empty", "vacío", "vacía", "vaciar"), ("card", "carta", "naipe"), ("ace", "as", "ases"),
    ("queen", "reina", "dama"), ("king", "rey", "reyes"), ("suit", "palo"), ("colour", "color"), ("point", "punto"),
    ("score", "puntuación", "puntúa", "puntuar", "marcador"),
    ("count", "contar", "cuenta", "cuentan", "cuento", "contamos", "recuento"),
    ("negative", "negativo", "negativa", "bajo cero", "menos de cero", "bajar de cero", "en negativo"),
    ("left over", "sobran", "sobrante", "restante", "que quedan", "me quedan", "que queda"),
    ("half", "medio punto", "medios puntos", "mitad"), ("bonus", "bonus", "bonificación", "prima"),
    ("round", "ronda", "rondas"), ("target", "objetivo", "cómo se gana", "hasta cuántos", "a cuántos"),
    ("win", "ganar", "gana", "gano", "ganado", "ganador", "victoria"),
    ("lose", "perder", "pierde", "pierdo", "perdido"),
    ("tie", "empate", "empatados", "empatar", "empatan", "empatamos"),
    ("equal", "mismos puntos", "misma puntuación", "igual de puntos", "igualdad"),
    ("tie-breaker", "desempate", "desempatar", "prórroga"),
    ("same time", "a la vez", "al mismo tiempo", "mismo tiempo", "mismo momento", "simultáneo", "simultánea"),
    ("first", "primero", "primera"), ("last", "último", "última"), ("late", "tarde"),
    ("fast", "rápido", "rápida", "deprisa"), ("slow", "lento", "lenta", "despacio"),
    ("call", "cante", "cantar", "canta", "canto", "canté", "cantó", "cantado", "cantan", "gritar", "grita", "gritó",
     "gritado", "grito"),
    ("start", "empezar", "empieza", "empezamos", "empezado", "comenzar", "comienza", "inicio", "principio"),
    ("end", "final", "fin", "acabar", "acaba", "termina", "terminar", "acabado", "terminado"),
    ("stop", "parar", "para el juego", "alto"), ("wait", "esperar", "espero", "espera"),
    ("play", "jugar", "juega", "juego", "juegan", "jugada", "poner", "pongo", "pone", "puesto", "colocar", "puso"),
    ("flip", "descubrir", "descubro", "voltear", "volteo", "dar la vuelta"),
    ("move", "mover", "muevo", "mueve", "pasar", "movido"), ("face up", "boca arriba", "descubierta"),
    ("face down", "boca abajo", "tapada", "tapadas", "cubierta", "ocultas"),
    ("under", "debajo", "bajo", "por debajo"),
    ("take back", "retirar", "recuperar", "quitar la carta", "recoger mi carta", "echarme atrás", "devolver",
     "volver a coger", "coger otra vez"),
    ("hold back", "guardar", "guardarme", "guardarse", "retener", "reservar"),
    ("look", "mirar", "miro", "ver", "mira"), ("peek", "espiar", "mirar debajo", "echar un vistazo"),
    ("touch", "tocar", "toco", "toca", "tocó"),
    ("opponent", "rival", "contrario", "adversario", "los demás", "otros", "vecino", "vecina"),
    ("fall", "caer", "caído", "cae", "caída", "tirar", "tirado", "tiró", "derribar"), ("floor", "suelo"),
    ("missing", "falta", "faltan", "perdida", "me falta"),
    ("wrong", "equivocado", "equivocada", "mal", "incorrecto", "falso", "falsa", "no le toca"),
    ("mistake", "error", "errores", "equivocación", "sin querer"),
    ("cheat", "trampa", "trampas", "tramposo", "hace trampas"),
    ("penalty", "penalización", "castigo", "multa", "sanción", "penalizar"), ("rule", "regla", "reglas"),
    ("dispute", "discusión", "disputa", "discutir", "no nos ponemos de acuerdo", "pelea", "desacuerdo", "reclamar"),
    ("stuck", "bloqueado", "bloqueados", "bloqueada", "atascado", "atascados", "no puedo jugar",
     "no puede jugar nadie", "no puedo mover", "nada que jugar", "no se puede seguir"),
    ("nobody", "nadie", "ninguno"), ("everybody", "todos", "todo el mundo"),
    ("burn", "quemar", "quema", "quemas", "quemada", "quemo"),
    ("shuffle", "barajar", "barajo", "barajado", "mezclar"), ("cut", "cortar", "corte"),
    ("deal", "repartir", "reparto", "reparte", "dar las cartas"), ("time out", "tiempo muerto", "pausa", "descanso"),
    ("toilet", "baño", "váter", "servicio", "aseo", "mear"), ("watcher", "espectador", "mirón"),
    ("grab", "quitar", "arrebatar"), ("emergency", "emergencia", "urgencia"), ("team", "equipo", "equipos"),
    ("partner", "compañero", "compañera", "compañeros"), ("pair", "pareja", "parejas"),
    ("join", "unirse", "une", "entrar", "apuntarse", "incorporarse"), ("leave", "irse", "marcharse", "se va", "irme"),
    ("change", "cambiar", "cambio", "cambia", "intercambiar"), ("child", "niño", "niña", "niños", "peque", "críos"),
    ("beginner", "principiante", "novato", "principiantes"), ("stand", "de pie", "levantarme", "levantarse", "pie"),
    ("sit", "sentarse", "sienta", "siento", "asiento"), ("seat", "sitio", "sitios", "asiento"),
    ("talk", "hablar", "habla", "charlar"), ("help", "ayudar", "ayuda"),
    ("write", "apuntar", "apunta", "anotar", "escribir", "anoto"), ("paper", "papel", "hoja"),
    ("scorekeeper", "anotador", "quien apunta", "lleva los puntos", "llevar los puntos", "apunta los puntos"),
    ("photo", "foto", "fotografía", "imagen"), ("different", "distinto", "distinta", "distintas", "diferente"),
    ("forget", "olvidar", "olvidado", "olvidé"), ("hold", "sujetar", "sujeto", "tener en la mano", "en la mano"),
    ("run out", "se ha acabado", "se acaba", "agotado", "gastado", "se acabó"),
    ("build", "construir", "construyo", "construye"), ("decide", "decidir", "decide"),
    ("hand hands", "mano", "manos", "zurdo", "zurda"), ("player person", "jugador", "jugadores", "personas", "gente"),
    ("number", "número", "cuántos", "cuántas"), ("back backs", "dorso", "reverso"),
    ("handicap", "hándicap", "ventaja"), ("side", "bando", "lado"), ("history", "historia", "origen", "inventó"),
    ("name", "nombre", "se llama", "llama"), ("slide", "meter", "deslizar", "meto"), ("top", "de arriba"),
    ("several", "varias", "varios"), ("equipment", "material", "necesitamos", "hace falta", "necesito"),
    ("history", "de dónde viene", "de dónde sale"), ("table", "mesa"), ("direction", "dirección", "sentido"),
    ("extra", "extra", "valen más", "vale más"), ("example", "ejemplo"),
    ("verify", "comprobar", "comprueba", "comprobado", "verificar"), ("two", "dos"),
)  # fmt: skip
"""The name of each thing in English, and what it is called; a query for one finds the others."""

IDLE = """
    a al algo alguien algún alguna aquí así aún aunque cada como cómo con cual cuál cuáles cuando cuándo de del desde
    después donde dónde el él ella ellas ellos en entonces entre era es esa ese eso esta está están este esto estos
    fue ha hace hacer iba ir hago han has hasta hay he la las le les lo los me mi mis mía mío muy nada ni no nos
    nosotros o os otra otro para pasa pero poder podemos por porque posible puede pueden puedes puedo pues que qué
    quien quién quiere quiero se sé ser si sí sin sobre solo son soy su sus tal también tan te tenemos tengo ti tiene
    tienen tu tú tus un una unas uno unos va vale vamos van vez voy y ya yo abuela abuelo hermana hermano hija hijo
    mamá papá prima primo llamada madre padre tía tío amiga amigo novia novio permitido permite ahora mientras
    demasiado cosa
"""
"""Words that say nothing in a question: small words, and who of the family asks."""
