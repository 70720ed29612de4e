"""The random generator of all games: xoshiro128** (Blackman and Vigna 2018), on four 32-bit words.

The four words are a field of the state, so the state's copies and saves include them, and blinding hides them. Every
function gives the same result interpreted and compiled. Products may exceed 64 bits: compiled products wrap around (see
`native`), and the functions keep only bits that are the same in both. Compiled sums must not exceed 63 bits.
"""

from quintain.engine.rules.linking import rule
from quintain.engine.rules.state import Cells

WORD = 0xFFFFFFFF


def key(words: list[int], sixteen_bytes: bytes) -> None:
    """Set the generator to 16 bytes, as four big-endian words. If all are 0, the last becomes 1: it could not go on."""
    for i in range(4):
        words[i] = int.from_bytes(sixteen_bytes[4 * i : 4 * i + 4], "big")
    if not any(words):
        words[3] = 1


@rule
def _multiply_add(high: int, low: int, by_high: int, by_low: int) -> tuple[int, int]:
    """Multiply two 64-bit numbers, each in two 32-bit halves, modulo 2**64."""
    product = low * by_low
    upper = (product >> 32 & WORD) + (low * by_high & WORD) + (high * by_low & WORD)
    return upper & WORD, product & WORD


@rule
def _splitmix(high: int, low: int) -> tuple[int, int]:
    """Return one output of splitmix64 (Steele, Lea and Flood 2014); the state and the output are in two halves."""
    low ^= (low >> 30 | high << 2) & WORD
    high ^= high >> 30
    high, low = _multiply_add(high, low, 0xBF58476D, 0x1CE4E5B9)
    low ^= (low >> 27 | high << 5) & WORD
    high ^= high >> 27
    high, low = _multiply_add(high, low, 0x94D049BB, 0x133111EB)
    low ^= (low >> 31 | high << 1) & WORD
    high ^= high >> 31
    return high, low


@rule
def _advance(high: int, low: int) -> tuple[int, int]:
    """Add the golden gamma, splitmix64's step, modulo 2**64."""
    total = low + 0x7F4A7C15
    return (high + 0x9E3779B9 + (total >> 32)) & WORD, total & WORD


@rule
def seed(words: Cells[int], n: int) -> None:
    """Set the generator from a number n, from 0 to 2**63 - 1, by splitmix64."""
    high, low = n >> 32 & WORD, n & WORD
    for i in range(2):
        high, low = _advance(high, low)
        words[2 * i], words[2 * i + 1] = _splitmix(high, low)


@rule
def mix(*numbers: int) -> int:
    """Return a hash of several numbers, in their order; all numbers and the hash are from 0 to 2**63 - 1."""
    high, low = 0, len(numbers)
    for n in numbers:
        high, low = _advance(high ^ (n >> 32 & WORD), low ^ (n & WORD))
        high, low = _splitmix(high, low)
    return (high & 0x7FFFFFFF) << 32 | low


@rule
def draw(words: Cells[int]) -> int:
    """Return the next random number, from 0 to 2**32 - 1."""
    second = words[1]
    product = second * 5 & WORD
    result = (product << 7 | product >> 25) * 9 & WORD
    words[2] ^= words[0]
    words[3] ^= second
    words[1] ^= words[2]
    words[0] ^= words[3]
    words[2] ^= second << 9 & WORD
    words[3] = (words[3] << 11 | words[3] >> 21) & WORD
    return result


@rule
def below(words: Cells[int], n: int) -> int:
    """Return a random number from 0 to n - 1, each equally likely (Lemire 2019); n is from 1 to 2**31."""
    product = draw(words) * n
    if product & WORD < n:
        threshold = (WORD + 1 - n) % n
        while product & WORD < threshold:
            product = draw(words) * n
    return product >> 32
