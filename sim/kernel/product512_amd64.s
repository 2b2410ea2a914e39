#include "textflag.h"

// The panels of the product where the processor has AVX-512: a row of one takes up
// three registers of sixteen lanes, or two, or one. Registers:
//
//	DI   c, at the row            R8   bytes from row to row of c, R15 three times that
//	SI   a, at the row            R9   bytes from row to row of a, R13 three times that
//	DX   b                        R10  bytes from step to step of a
//	AX   a, at row and step       R11  bytes from step to step of b
//	R12  AX, four rows on         BX   b, at the step; c, four rows on
//	CX   steps left               K1, K2, K3  the lanes of c that are its own
//
// V0 to V7 are the sums of up to eight rows, W0 to W7 those of their second registers,
// U0 to U7 of the third; VB, WB and UB are a row of b, and Z27 to Z30 are at work. The
// rows left wait in their argument.
//
// A row of b is read without a mask: one at every step would take the time of half a
// product. What a panel reads beside its own lanes is there, and is not written.
//
// Macros that do something with a row are defined below, for each number of registers:
// CLEAR, GET and PUT begin and end its sums, GETB reads a row of b, and ROW multiplies
// this by one element of a, from its address, and adds it to a row of sums.

#define ZERO1 \
	CLEAR(V0, W0, U0)

#define LOAD1 \
	GET((DI), V0, W0, U0)

#define ROWS1 \
	ROW((AX), V0, W0, U0)

#define STORE1 \
	PUT(V0, W0, U0, (DI))

#define ZERO2 \
	ZERO1 \
	CLEAR(V1, W1, U1)

#define LOAD2 \
	LOAD1 \
	GET((DI)(R8*1), V1, W1, U1)

#define ROWS2 \
	ROWS1 \
	ROW((AX)(R9*1), V1, W1, U1)

#define STORE2 \
	STORE1 \
	PUT(V1, W1, U1, (DI)(R8*1))

#define ZERO4 \
	ZERO2             \
	CLEAR(V2, W2, U2) \
	CLEAR(V3, W3, U3)

#define LOAD4 \
	LOAD2                       \
	GET((DI)(R8*2), V2, W2, U2) \
	GET((DI)(R15*1), V3, W3, U3)

#define ROWS4 \
	ROWS2                       \
	ROW((AX)(R9*2), V2, W2, U2) \
	ROW((AX)(R13*1), V3, W3, U3)

#define STORE4 \
	STORE2                      \
	PUT(V2, W2, U2, (DI)(R8*2)) \
	PUT(V3, W3, U3, (DI)(R15*1))

#define ZERO8 \
	ZERO4             \
	CLEAR(V4, W4, U4) \
	CLEAR(V5, W5, U5) \
	CLEAR(V6, W6, U6) \
	CLEAR(V7, W7, U7)

#define LOAD8 \
	LOAD4                       \
	LEAQ (DI)(R8*4), BX         \
	GET((BX), V4, W4, U4)       \
	GET((BX)(R8*1), V5, W5, U5) \
	GET((BX)(R8*2), V6, W6, U6) \
	GET((BX)(R15*1), V7, W7, U7)

#define ROWS8 \
	ROWS4                        \
	ROW((R12), V4, W4, U4)       \
	ROW((R12)(R9*1), V5, W5, U5) \
	ROW((R12)(R9*2), V6, W6, U6) \
	ROW((R12)(R13*1), V7, W7, U7)

#define STORE8 \
	STORE4                      \
	LEAQ (DI)(R8*4), BX         \
	PUT(V4, W4, U4, (BX))       \
	PUT(V5, W5, U5, (BX)(R8*1)) \
	PUT(V6, W6, U6, (BX)(R8*2)) \
	PUT(V7, W7, U7, (BX)(R15*1))

// All steps of a group of rows. The last arguments are names for its labels.
#define GROUP(ZERO, LOAD, ROWS, STORE, begin, step) \
	ZERO                    \
	CMPB add+80(FP), $0     \
	JEQ  begin              \
	LOAD                    \
begin:                          \
	MOVQ SI, AX             \
	LEAQ (SI)(R9*4), R12    \
	MOVQ DX, BX             \
	MOVQ steps+32(FP), CX   \
step:                           \
	GETB((BX))              \
	ROWS                    \
	ADDQ R10, AX            \
	ADDQ R10, R12           \
	ADDQ R11, BX            \
	DECQ CX                 \
	JNZ  step               \
	STORE

// The masks, from the bits of lanes; work is left as something else.
#define MASKS(lanes, work) \
	MOVQ  lanes, work \
	KMOVW work, K1    \
	SHRQ  $16, work   \
	KMOVW work, K2    \
	SHRQ  $16, work   \
	KMOVW work, K3

// All rows of a panel.
#define PANEL \
	MOVQ c+0(FP), DI        \
	MOVQ a+8(FP), SI        \
	MOVQ b+16(FP), DX       \
	MOVQ cStride+48(FP), R8 \
	MOVQ aByRow+56(FP), R9  \
	MOVQ aByStep+64(FP), R10 \
	MOVQ bStride+72(FP), R11 \
	SHLQ $2, R8             \
	SHLQ $2, R9             \
	SHLQ $2, R10            \
	SHLQ $2, R11            \
	LEAQ (R8)(R8*2), R15    \
	LEAQ (R9)(R9*2), R13    \
	MASKS(lanes+40(FP), AX) \
eight:                          \
	CMPQ rows+24(FP), $8    \
	JLT  four               \
	GROUP(ZERO8, LOAD8, ROWS8, STORE8, begin8, step8) \
	LEAQ (DI)(R8*8), DI     \
	LEAQ (SI)(R9*8), SI     \
	SUBQ $8, rows+24(FP)    \
	JMP  eight              \
four:                           \
	TESTQ $4, rows+24(FP)   \
	JEQ   two               \
	GROUP(ZERO4, LOAD4, ROWS4, STORE4, begin4, step4) \
	LEAQ (DI)(R8*4), DI     \
	LEAQ (SI)(R9*4), SI     \
two:                            \
	TESTQ $2, rows+24(FP)   \
	JEQ   one               \
	GROUP(ZERO2, LOAD2, ROWS2, STORE2, begin2, step2) \
	LEAQ (DI)(R8*2), DI     \
	LEAQ (SI)(R9*2), SI     \
one:                            \
	TESTQ $1, rows+24(FP)   \
	JEQ   done              \
	GROUP(ZERO1, LOAD1, ROWS1, STORE1, begin1, step1) \
done:                           \
	VZEROUPPER              \
	RET

// All steps of a list.
#define LIST \
	MOVQ c+0(FP), DI        \
	MOVQ a+8(FP), AX        \
	MOVQ b+16(FP), DX       \
	MOVQ from+24(FP), SI    \
	MOVQ cStride+48(FP), R8 \
	SHLQ $2, R8             \
	LEAQ (R8)(R8*2), R15    \
	MOVQ $4, R9             \
	MOVQ $12, R13           \
	MASKS(lanes+40(FP), BX) \
	MOVQ steps+32(FP), CX   \
	ZERO4                   \
	CMPB add+56(FP), $0     \
	JEQ  begin              \
	LOAD4                   \
begin:                          \
	TESTQ CX, CX            \
	JEQ   done              \
step:                           \
	MOVLQSX (SI), BX        \
	GETB((DX)(BX*1))        \
	ROWS4                   \
	ADDQ $16, AX            \
	ADDQ $4, SI             \
	DECQ CX                 \
	JNZ  step               \
done:                           \
	STORE4                  \
	VZEROUPPER              \
	RET

// Products with the patches of an image, which stay in the image. What a step finds is listed by
// its distance in bytes, at R11. There are as many rows as fill groups of eight.

// FILLED has all lanes of c be its own.
#define FILLED \
	KXNORW K1, K1, K1 \
	KXNORW K2, K2, K2

// All steps of sums over the positions of an image: a lies in the image.
#define ALONG \
	MOVQ c+0(FP), DI        \
	MOVQ a+8(FP), SI        \
	MOVQ b+16(FP), DX       \
	MOVQ cStride+48(FP), R8 \
	MOVQ aByRow+56(FP), R9  \
	SHLQ $2, R8             \
	SHLQ $2, R9             \
	LEAQ (R8)(R8*2), R15    \
	LEAQ (R9)(R9*2), R13    \
	FILLED                  \
eight:                          \
	LOAD8                   \
	MOVQ at+24(FP), R11     \
	MOVQ DX, BX             \
	MOVQ steps+40(FP), CX   \
step:                           \
	MOVLQSX (R11), AX       \
	ADDQ SI, AX             \
	LEAQ (AX)(R9*4), R12    \
	GETB((BX))              \
	ROWS8                   \
	ADDQ $4, R11            \
	ADDQ $192, BX           \
	DECQ CX                 \
	JNZ  step               \
	STORE8                  \
	LEAQ (DI)(R8*8), DI     \
	LEAQ (SI)(R9*8), SI     \
	SUBQ $8, rows+32(FP)    \
	JGT  eight              \
	VZEROUPPER              \
	RET

// A group of eight rows and 32 positions at a time, either side of which lies in an image: its
// second register is R15 or R14 on, and with rows of eight positions the second half of each R10
// or R14 bytes on. GETB reads positions at DX and BX, NEXTA goes on in a, and WRITE writes a row
// of sums and moves DI to the next.
#define SLIDE(BEGIN, GETB, NEXTA, WRITE) \
	MOVQ c+0(FP), DI        \
	MOVQ a+8(FP), SI        \
	MOVQ b+16(FP), DX       \
	MOVQ cStride+56(FP), R8 \
	MOVQ aByRow+64(FP), R9  \
	SHLQ $2, R8             \
	SHLQ $2, R9             \
	LEAQ (R9)(R9*2), R13    \
	BEGIN                   \
eight:                          \
	ZERO8                   \
	MOVQ SI, AX             \
	LEAQ (SI)(R9*4), R12    \
	MOVQ at+32(FP), R11     \
	MOVQ steps+48(FP), CX   \
step:                           \
	MOVLQSX (R11), BX       \
	GETB                    \
	ROWS8                   \
	ADDQ $4, R11            \
	NEXTA                   \
	DECQ CX                 \
	JNZ  step               \
	WRITE(Y0, V0, Y8, W0)   \
	WRITE(Y1, V1, Y9, W1)   \
	WRITE(Y2, V2, Y10, W2)  \
	WRITE(Y3, V3, Y11, W3)  \
	WRITE(Y4, V4, Y12, W4)  \
	WRITE(Y5, V5, Y13, W5)  \
	WRITE(Y6, V6, Y14, W6)  \
	WRITE(Y7, V7, Y15, W7)  \
	LEAQ (SI)(R9*8), SI     \
	SUBQ $8, rows+40(FP)    \
	JGT  eight              \
	VZEROUPPER              \
	RET

// Forward, b lies in the image. The steps of a are side by side.
#define FORWARD \
	MOVQ bias+24(FP), R15 \
	MOVQ next+80(FP), R14 \
	MOVQ R14, R10         \
	SHRQ $1, R10          \
	ADDQ DX, R14

#define GETIMAGE \
	VMOVUPS (DX)(BX*1), VB \
	VMOVUPS (R14)(BX*1), WB

#define GETIMAGE8 \
	VMOVUPS (DX)(BX*1), Y24  \
	VMOVUPS (R14)(BX*1), Y25 \
	ADDQ R10, BX             \
	VINSERTF32X8 $1, (DX)(BX*1), VB, VB \
	VINSERTF32X8 $1, (R14)(BX*1), WB, WB

#define BESIDE \
	ADDQ $4, AX \
	ADDQ $4, R12

#define SHIFTED(yv, v, yw, w) \
	VADDPS.BCST (R15), v, v \
	VADDPS.BCST (R15), w, w \
	VMOVUPS v, (DI)         \
	VMOVUPS w, 64(DI)       \
	ADDQ R8, DI             \
	ADDQ $4, R15

// Back, c lies in the image, to which the sums are added.
#define BACK \
	MOVQ aByStep+72(FP), R10 \
	MOVQ next+80(FP), R15    \
	MOVQ R15, R14            \
	SHRQ $1, R14             \
	SHLQ $2, R10

#define GETDENSE \
	VMOVUPS (DX)(BX*1), VB \
	VMOVUPS 64(DX)(BX*1), WB

#define BELOW \
	ADDQ R10, AX \
	ADDQ R10, R12

#define ADDTO(x, to) \
	VADDPS to, x, x \
	VMOVUPS x, to

#define ADDED(yv, v, yw, w) \
	ADDTO(v, (DI))        \
	ADDTO(w, (DI)(R15*1)) \
	ADDQ R8, DI

#define ADDED8(yv, v, yw, w) \
	VEXTRACTF32X8 $1, v, Y27 \
	VEXTRACTF32X8 $1, w, Y28 \
	LEAQ (DI)(R15*1), BX     \
	ADDTO(yv, (DI))          \
	ADDTO(Y27, (DI)(R14*1))  \
	ADDTO(yw, (BX))          \
	ADDTO(Y28, (BX)(R14*1))  \
	ADDQ R8, DI

#define V0 Z0
#define V1 Z1
#define V2 Z2
#define V3 Z3
#define V4 Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define VB Z24

#define W0 Z8
#define W1 Z9
#define W2 Z10
#define W3 Z11
#define W4 Z12
#define W5 Z13
#define W6 Z14
#define W7 Z15
#define WB Z25

#define U0 Z16
#define U1 Z17
#define U2 Z18
#define U3 Z19
#define U4 Z20
#define U5 Z21
#define U6 Z22
#define U7 Z23
#define UB Z26

// Three registers to a row.

#define CLEAR(v, w, u) \
	VPXORD v, v, v \
	VPXORD w, w, w \
	VPXORD u, u, u

#define GET(from, v, w, u) \
	VMOVUPS.Z from, K1, v    \
	VMOVUPS.Z 64 from, K2, w \
	VMOVUPS.Z 128 from, K3, u

#define PUT(v, w, u, to) \
	VMOVUPS v, K1, to    \
	VMOVUPS w, K2, 64 to \
	VMOVUPS u, K3, 128 to

#define GETB(from) \
	VMOVUPS from, VB    \
	VMOVUPS 64 from, WB \
	VMOVUPS 128 from, UB

#define ROW(from, v, w, u) \
	VBROADCASTSS from, Z27    \
	VMULPS       VB, Z27, Z28 \
	VMULPS       WB, Z27, Z29 \
	VMULPS       UB, Z27, Z30 \
	VADDPS       Z28, v, v    \
	VADDPS       Z29, w, w    \
	VADDPS       Z30, u, u

// func panel48(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)
TEXT ·panel48(SB), NOSPLIT, $0-81
	PANEL

// func listed48(c, a, b *float32, from *int32, steps int, lanes uint64, cStride int, add bool)
TEXT ·listed48(SB), NOSPLIT, $0-57
	LIST

// Two registers to a row.

#undef CLEAR
#define CLEAR(v, w, u) \
	VPXORD v, v, v \
	VPXORD w, w, w

#undef GET
#define GET(from, v, w, u) \
	VMOVUPS.Z from, K1, v \
	VMOVUPS.Z 64 from, K2, w

#undef PUT
#define PUT(v, w, u, to) \
	VMOVUPS v, K1, to \
	VMOVUPS w, K2, 64 to

#undef GETB
#define GETB(from) \
	VMOVUPS from, VB \
	VMOVUPS 64 from, WB

#undef ROW
#define ROW(from, v, w, u) \
	VBROADCASTSS from, Z27    \
	VMULPS       VB, Z27, Z28 \
	VMULPS       WB, Z27, Z29 \
	VADDPS       Z28, v, v    \
	VADDPS       Z29, w, w

// func panel32(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)
TEXT ·panel32(SB), NOSPLIT, $0-81
	PANEL

// func listed32(c, a, b *float32, from *int32, steps int, lanes uint64, cStride int, add bool)
TEXT ·listed32(SB), NOSPLIT, $0-57
	LIST

// func along32(c, a, b *float32, at *int32, rows, steps, cStride, aByRow int)
TEXT ·along32(SB), NOSPLIT, $0-64
	ALONG

// func forward16(c, a, b, bias *float32, at *int32, rows, steps, cStride, aByRow, aByStep, next int)
TEXT ·forward16(SB), NOSPLIT, $0-88
	SLIDE(FORWARD, GETIMAGE, BESIDE, SHIFTED)

// func forward8(c, a, b, bias *float32, at *int32, rows, steps, cStride, aByRow, aByStep, next int)
TEXT ·forward8(SB), NOSPLIT, $0-88
	SLIDE(FORWARD, GETIMAGE8, BESIDE, SHIFTED)

// func back16(c, a, b, bias *float32, at *int32, rows, steps, cStride, aByRow, aByStep, next int)
TEXT ·back16(SB), NOSPLIT, $0-88
	SLIDE(BACK, GETDENSE, BELOW, ADDED)

// func back8(c, a, b, bias *float32, at *int32, rows, steps, cStride, aByRow, aByStep, next int)
TEXT ·back8(SB), NOSPLIT, $0-88
	SLIDE(BACK, GETDENSE, BELOW, ADDED8)

// One register to a row.

#undef CLEAR
#define CLEAR(v, w, u) \
	VPXORD v, v, v

#undef GET
#define GET(from, v, w, u) \
	VMOVUPS.Z from, K1, v

#undef PUT
#define PUT(v, w, u, to) \
	VMOVUPS v, K1, to

#undef GETB
#define GETB(from) \
	VMOVUPS from, VB

#define WORK Z27

#undef ROW
#define ROW(from, v, w, u) \
	VMULPS.BCST from, VB, WORK \
	VADDPS      WORK, v, v

// func panel16(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)
TEXT ·panel16(SB), NOSPLIT, $0-81
	PANEL

// func along16(c, a, b *float32, at *int32, rows, steps, cStride, aByRow int)
TEXT ·along16(SB), NOSPLIT, $0-64
	ALONG

// One register that reads its own lanes only, and then one of eight lanes.

#undef GETB
#define GETB(from) \
	VMOVUPS.Z from, K1, VB

// func panel15(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)
TEXT ·panel15(SB), NOSPLIT, $0-81
	PANEL

#undef V0
#define V0 Y0
#undef V1
#define V1 Y1
#undef V2
#define V2 Y2
#undef V3
#define V3 Y3
#undef V4
#define V4 Y4
#undef V5
#define V5 Y5
#undef V6
#define V6 Y6
#undef V7
#define V7 Y7
#undef VB
#define VB Y24
#undef WORK
#define WORK Y27

// func panel8(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)
TEXT ·panel8(SB), NOSPLIT, $0-81
	PANEL

// Rows that are four apart side by side: four steps of each.
#define ABREAST(row, x, z) \
	VMOVUPS      (R8)(row), x         \
	VINSERTF32X4 $1, (R9)(row), z, z  \
	VINSERTF32X4 $2, (R10)(row), z, z \
	VINSERTF32X4 $3, (R11)(row), z, z

// func transpose16(dst, src *float32, steps, stride, dstStride int)
//
// Four steps of sixteen rows are turned at a time. The last four overlap those
// before them unless steps is a multiple of four; they write the same again.
TEXT ·transpose16(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), R8
	MOVQ steps+16(FP), CX
	MOVQ stride+24(FP), BX
	MOVQ dstStride+32(FP), R13
	SHLQ $2, BX
	SHLQ $2, R13
	LEAQ (BX)(BX*2), DX // three rows
	LEAQ (R13)(R13*2), R15
	XORQ R12, R12       // none
	LEAQ (R8)(BX*4), R9
	LEAQ (R9)(BX*4), R10
	LEAQ (R10)(BX*4), R11
	SUBQ $4, CX // steps after these
turn:
	ABREAST(R12*1, X0, Z0)
	ABREAST(BX*1, X1, Z1)
	ABREAST(BX*2, X2, Z2)
	ABREAST(DX*1, X3, Z3)
	VUNPCKLPS Z1, Z0, Z4
	VUNPCKHPS Z1, Z0, Z5
	VUNPCKLPS Z3, Z2, Z6
	VUNPCKHPS Z3, Z2, Z7
	VUNPCKLPD Z6, Z4, Z0
	VUNPCKHPD Z6, Z4, Z1
	VUNPCKLPD Z7, Z5, Z2
	VUNPCKHPD Z7, Z5, Z3
	VMOVUPS   Z0, (DI)
	VMOVUPS   Z1, (DI)(R13*1)
	VMOVUPS   Z2, (DI)(R13*2)
	VMOVUPS   Z3, (DI)(R15*1)

	TESTQ CX, CX
	JE    turned
	MOVQ  $4, AX
	CMPQ  CX, AX
	CMOVQLT CX, AX
	SUBQ  AX, CX
	LEAQ  (R8)(AX*4), R8
	LEAQ  (R9)(AX*4), R9
	LEAQ  (R10)(AX*4), R10
	LEAQ  (R11)(AX*4), R11
	IMULQ R13, AX
	ADDQ  AX, DI
	JMP   turn
turned:
	VZEROUPPER
	RET
