"""Heirless battles: the sentences that explain tiles, sides, Knights, cards and attributes to somebody new to the game.

`view.py` and `scene.py` put them on the pieces; front ends show them for the piece that a player looks at.
"""

from quintain.games.heirless import state as st

TRACKS = (
    "The Wounds that each of your Knights deals, before dodge and Defense.",
    "If it is below the Dodge of the target, your Damage is halved. If they are equal, player order decides.",
    "Above the Precision of the Attacker, it halves the Damage. If they are equal, player order decides.",
    "It takes this much off what each attacking Knight deals.",
    "The lowest has its turn first. A target with at least twice the Delay of the Attacker takes twice the Wounds.",
    "A Knight with as many Wounds is struck down. Each quarter of Health left is a point.",
)
"""What each attribute does, in the order of the tracks. HB-12, HB-14, HB-16."""

WITHOUT_BANDITS = (
    "If you still have a Knight here after the battles, you earn {pay} Resources. Knights of different players fight."
)
CAMP = (
    "If you still have a Knight here after the battles, you earn {pay} Resources. Knights fight the Bandits and each "
    "other. Each Bandit whose side loses gives an improvement to the player with most Knights left here."
)
CASTLE = (
    "Nobody fights here. Others earn {pay} Resources each if more of their Knights are here than the owner left at "
    "home. Knights at home earn nothing."
)
LESS = " An alliance has won here, so it pays {less} less."
NEXT_KNIGHT = (
    "It goes to the tile that you touch. If you still have a Knight there after the battles, you earn its Resources. "
    "All choose in secret."
)
WAITING_KNIGHT = "A Knight of yours that has no place yet."
SIDE = (
    "Its Knights share two cards and six values. The side with most points wins the tile: each Knight is worth up to "
    "four, one for each quarter of its Health left. The earlier in player order wins a tie."
)
BANDITS = (
    "They draw both cards at random when the cards are turned up, form no alliance, strike first at equal Delay, and "
    "lose every other tie. Defeated, each of them gives an improvement."
)
PROPOSAL = "Allies cannot strike each other, and both stay if they win. Each then earns {less} less here."
KNIGHT = "Struck down at {health} Wounds. Until then it is worth a point for each quarter of its Health left."
STRIKER = "Touch the Knight or Bandit that it strikes. Several Knights on one target add up their Wounds."
CARD = "Battlecard: you use one side of it, to attack or to defend"
TO_ATTACK = "to attack: it changes your Damage, Precision and Delay in this battle"
TO_DEFEND = "to defend: it changes your Dodge and Defense, and puts its Wound on each of your Knights at once"
IN_ROLE = {"attack": TO_ATTACK, "defend": TO_DEFEND}
PLAYER = "The attributes hold for all Knights of the player. A defeated Bandit improves one of them by a step."
BANDITS_OF_CAMP = (
    "The attributes of the Bandits of this camp. After each season one of them rises by a step, at random."
)


def of_tile(tile: int, pay: int, less: int, has_bandits: bool) -> str:
    """Return what a tile is for; `less` is how much less it pays because allies have won it. HB-2, HB-23."""
    kind = CASTLE if tile >= st.CASTLE else CAMP if has_bandits and tile != st.CAPITAL else WITHOUT_BANDITS
    return kind.format(pay=pay) + (LESS.format(less=less) if less else "")
