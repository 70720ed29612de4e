/* What the libraries of compiled games need beside the games: see libraries.py, which lets Zig's C compiler compile it.

   On Windows, the copying of memory, since no C library is linked. For x86-64, whether the processor is a newer one. */
#include <stdint.h>

#ifdef _WIN32
int _fltused = 1;

void *memcpy(void *to, const void *from, uint64_t bytes) {
    uint64_t i = 0;
    for (; i + 8 <= bytes; i += 8) *(volatile uint64_t *)((char *)to + i) = *(const uint64_t *)((const char *)from + i);
    for (; i < bytes; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, uint64_t bytes) {
    if ((uintptr_t)to <= (uintptr_t)from) return memcpy(to, from, bytes);
    for (uint64_t i = bytes; i > 0; i--) ((volatile char *)to)[i - 1] = ((const char *)from)[i - 1];
    return to;
}

void *memset(void *to, int value, uint64_t bytes) {
    uint64_t i = 0, eight = (uint8_t)value * UINT64_C(0x0101010101010101);
    for (; i + 8 <= bytes; i += 8) *(volatile uint64_t *)((char *)to + i) = eight;
    for (; i < bytes; i++) ((volatile char *)to)[i] = (char)value;
    return to;
}
#endif

#ifdef __x86_64__
#include <cpuid.h>

/* Return 1 if the processor has what LLVM calls x86-64-v3, and the system saves its wide registers; otherwise 0. */
int fits_v3(void) {
    unsigned a, b, c, d, saved, high;
    const unsigned first = bit_SSE3 | bit_SSSE3 | bit_FMA | bit_CMPXCHG16B | bit_SSE41 | bit_SSE42 | bit_MOVBE
        | bit_POPCNT | bit_OSXSAVE | bit_AVX | bit_F16C;
    const unsigned seventh = bit_BMI | bit_AVX2 | bit_BMI2, extended = bit_LAHF_LM | bit_LZCNT;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & first) != first) return 0;
    __asm__ volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    if ((saved & 6) != 6) return 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & seventh) != seventh) return 0;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & extended) == extended;
}
#endif
