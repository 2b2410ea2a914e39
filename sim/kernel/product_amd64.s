#include "textflag.h"

// Masks for the last vector of a row: the eight words from word 8−n on take n
// lanes.
DATA ·tails+0(SB)/8, $0xffffffffffffffff
DATA ·tails+8(SB)/8, $0xffffffffffffffff
DATA ·tails+16(SB)/8, $0xffffffffffffffff
DATA ·tails+24(SB)/8, $0xffffffffffffffff
DATA ·tails+32(SB)/8, $0
DATA ·tails+40(SB)/8, $0
DATA ·tails+48(SB)/8, $0
DATA ·tails+56(SB)/8, $0
GLOBL ·tails(SB), RODATA|NOPTR, $64

// The panel of the product, in registers of eight lanes:
//
//	DI   c, at the row           R8   bytes from row to row of c, R15 three times that
//	SI   a, at the row           R9   bytes from row to row of a, R13 three times that
//	DX   b                       R10  bytes from step to step of a
//	R12  rows left               R11  bytes from step to step of b
//	AX   a, at row and step      BX   b, at the step
//	CX   steps left
//
// Of six rows at a time, Y0 to Y11 are the sums, two vectors for each row, Y12 and
// Y13 are a row of b, Y14 and Y15 are at work, and R12 is five times R9; the rows
// left wait in their argument. Of four rows or two, Y0 to Y7 are the sums, Y8 and
// Y9 a row of b, Y10 and Y11 at work, Y12 and Y13 the masks of a panel of less than
// 16 columns.

#define ZERO \
	VXORPS Y0, Y0, Y0 \
	VXORPS Y1, Y1, Y1 \
	VXORPS Y2, Y2, Y2 \
	VXORPS Y3, Y3, Y3 \
	VXORPS Y4, Y4, Y4 \
	VXORPS Y5, Y5, Y5 \
	VXORPS Y6, Y6, Y6 \
	VXORPS Y7, Y7, Y7

#define ZERO6 \
	ZERO                 \
	VXORPS Y8, Y8, Y8    \
	VXORPS Y9, Y9, Y9    \
	VXORPS Y10, Y10, Y10 \
	VXORPS Y11, Y11, Y11

// What a full panel reads and writes.

#define B_FULL \
	VMOVUPS (BX), Y8 \
	VMOVUPS 32(BX), Y9

#define LOAD2_FULL \
	VMOVUPS (DI), Y0       \
	VMOVUPS 32(DI), Y1     \
	VMOVUPS (DI)(R8*1), Y2 \
	VMOVUPS 32(DI)(R8*1), Y3

#define LOAD4_FULL \
	LOAD2_FULL               \
	VMOVUPS (DI)(R8*2), Y4   \
	VMOVUPS 32(DI)(R8*2), Y5 \
	VMOVUPS (DI)(R15*1), Y6  \
	VMOVUPS 32(DI)(R15*1), Y7

#define STORE2_FULL \
	VMOVUPS Y0, (DI)       \
	VMOVUPS Y1, 32(DI)     \
	VMOVUPS Y2, (DI)(R8*1) \
	VMOVUPS Y3, 32(DI)(R8*1)

#define STORE4_FULL \
	STORE2_FULL              \
	VMOVUPS Y4, (DI)(R8*2)   \
	VMOVUPS Y5, 32(DI)(R8*2) \
	VMOVUPS Y6, (DI)(R15*1)  \
	VMOVUPS Y7, 32(DI)(R15*1)

// The same of six rows.

#define B_SIX \
	VMOVUPS (BX), Y12 \
	VMOVUPS 32(BX), Y13

#define LOAD6 \
	LOAD4_FULL             \
	LEAQ (DI)(R8*4), AX    \
	VMOVUPS (AX), Y8       \
	VMOVUPS 32(AX), Y9     \
	VMOVUPS (AX)(R8*1), Y10 \
	VMOVUPS 32(AX)(R8*1), Y11

#define STORE6 \
	STORE4_FULL            \
	LEAQ (DI)(R8*4), AX    \
	VMOVUPS Y8, (AX)       \
	VMOVUPS Y9, 32(AX)     \
	VMOVUPS Y10, (AX)(R8*1) \
	VMOVUPS Y11, 32(AX)(R8*1)

// The same of a narrow panel. Lanes outside the mask read as 0, touch nothing.

#define B_NARROW \
	VMASKMOVPS (BX), Y12, Y8 \
	VMASKMOVPS 32(BX), Y13, Y9

#define LOAD2_NARROW \
	VMASKMOVPS (DI), Y12, Y0       \
	VMASKMOVPS 32(DI), Y13, Y1     \
	VMASKMOVPS (DI)(R8*1), Y12, Y2 \
	VMASKMOVPS 32(DI)(R8*1), Y13, Y3

#define LOAD4_NARROW \
	LOAD2_NARROW                     \
	VMASKMOVPS (DI)(R8*2), Y12, Y4   \
	VMASKMOVPS 32(DI)(R8*2), Y13, Y5 \
	VMASKMOVPS (DI)(R15*1), Y12, Y6  \
	VMASKMOVPS 32(DI)(R15*1), Y13, Y7

#define STORE2_NARROW \
	VMASKMOVPS Y0, Y12, (DI)       \
	VMASKMOVPS Y1, Y13, 32(DI)     \
	VMASKMOVPS Y2, Y12, (DI)(R8*1) \
	VMASKMOVPS Y3, Y13, 32(DI)(R8*1)

#define STORE4_NARROW \
	STORE2_NARROW                    \
	VMASKMOVPS Y4, Y12, (DI)(R8*2)   \
	VMASKMOVPS Y5, Y13, 32(DI)(R8*2) \
	VMASKMOVPS Y6, Y12, (DI)(R15*1)  \
	VMASKMOVPS Y7, Y13, 32(DI)(R15*1)

// One element of a, from its address, times the row of b, added to two sums.
#define TIMES(from, b, c, x, y, left, right) \
	VBROADCASTSS from, x        \
	VMULPS       b, x, y        \
	VADDPS       y, left, left  \
	VMULPS       c, x, x        \
	VADDPS       x, right, right

#define ROW(from, left, right) TIMES(from, Y8, Y9, Y10, Y11, left, right)
#define ROW6(from, left, right) TIMES(from, Y12, Y13, Y14, Y15, left, right)

#define ROWS2 \
	ROW((AX), Y0, Y1) \
	ROW((AX)(R9*1), Y2, Y3)

#define ROWS4 \
	ROWS2                   \
	ROW((AX)(R9*2), Y4, Y5) \
	ROW((AX)(R13*1), Y6, Y7)

#define ROWS6 \
	ROW6((AX), Y0, Y1)       \
	ROW6((AX)(R9*1), Y2, Y3) \
	ROW6((AX)(R9*2), Y4, Y5) \
	ROW6((AX)(R13*1), Y6, Y7) \
	ROW6((AX)(R9*4), Y8, Y9) \
	ROW6((AX)(R12*1), Y10, Y11)

// All steps of a group of rows. The last arguments are names for its labels.
#define GROUP(CLEAR, LOAD, B, ROWS, STORE, begin, step) \
	CLEAR                 \
	CMPB add+80(FP), $0   \
	JEQ  begin            \
	LOAD                  \
begin:                        \
	MOVQ SI, AX           \
	MOVQ DX, BX           \
	MOVQ steps+32(FP), CX \
step:                         \
	B                     \
	ROWS                  \
	ADDQ R10, AX          \
	ADDQ R11, BX          \
	DECQ CX               \
	JNZ  step             \
	STORE

// All steps of a list. The last arguments are names for its labels.
#define LIST(LOAD, B, STORE, begin, step, end) \
	ZERO                \
	CMPB add+56(FP), $0 \
	JEQ  begin          \
	LOAD                \
begin:                      \
	TESTQ CX, CX        \
	JEQ  end            \
step:                       \
	MOVLQSX (SI), BX    \
	ADDQ DX, BX         \
	B                   \
	ROWS4               \
	ADDQ $16, AX        \
	ADDQ $4, SI         \
	DECQ CX             \
	JNZ  step           \
end:                        \
	STORE               \
	VZEROUPPER          \
	RET

// A convolution, in registers of eight lanes. As the panel, but the two vectors of a row of b lie in an image, R11 bytes
// apart, at distances from DX that R14 runs through; those of c are cNext elements apart.

#define ROWS2_SIX \
	ROW6((AX), Y0, Y1) \
	ROW6((AX)(R9*1), Y2, Y3)

#define ROWS4_SIX \
	ROWS2_SIX                 \
	ROW6((AX)(R9*2), Y4, Y5) \
	ROW6((AX)(R13*1), Y6, Y7)

// All steps of a group of rows, and the address of the second vector of c. The last argument is a name for its label.
#define SLIDE(CLEAR, ROWS, step) \
	CLEAR                     \
	MOVQ SI, AX               \
	MOVQ at+24(FP), R14       \
	MOVQ steps+40(FP), CX     \
step:                             \
	MOVLQSX (R14), BX         \
	ADDQ DX, BX               \
	VMOVUPS (BX), Y12         \
	VMOVUPS (BX)(R11*1), Y13  \
	ROWS                      \
	ADDQ $4, AX               \
	ADDQ $4, R14              \
	DECQ CX                   \
	JNZ  step                 \
	MOVQ cNext+64(FP), AX     \
	LEAQ (DI)(AX*4), AX

#define SLIDE_STORE2 \
	VMOVUPS Y0, (DI)       \
	VMOVUPS Y1, (AX)       \
	VMOVUPS Y2, (DI)(R8*1) \
	VMOVUPS Y3, (AX)(R8*1)

#define SLIDE_STORE4 \
	SLIDE_STORE2           \
	VMOVUPS Y4, (DI)(R8*2) \
	VMOVUPS Y5, (AX)(R8*2) \
	VMOVUPS Y6, (DI)(R15*1) \
	VMOVUPS Y7, (AX)(R15*1)

#define SLIDE_STORE6 \
	SLIDE_STORE4            \
	LEAQ (DI)(R8*4), BX     \
	LEAQ (AX)(R8*4), AX     \
	VMOVUPS Y8, (BX)        \
	VMOVUPS Y9, (AX)        \
	VMOVUPS Y10, (BX)(R8*1) \
	VMOVUPS Y11, (AX)(R8*1)

// The masks of the first so many lanes of a narrow panel; left and at are at work.
#define MASKS(width, left, at) \
	LEAQ    ·tails(SB), at        \
	MOVQ    $8, left              \
	CMPQ    width, left           \
	CMOVQLT width, left           \
	SUBQ    left, width           \
	NEGQ    left                  \
	NEGQ    width                 \
	VMOVUPS 32(at)(left*4), Y12   \
	VMOVUPS 32(at)(width*4), Y13

// func panel256(c, a, b *float32, rows, steps, width, cStride, aByRow, aByStep, bStride int, add bool)
TEXT ·panel256(SB), NOSPLIT, $0-81
	MOVQ c+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ rows+24(FP), R12
	MOVQ cStride+48(FP), R8
	MOVQ aByRow+56(FP), R9
	MOVQ aByStep+64(FP), R10
	MOVQ bStride+72(FP), R11
	SHLQ $2, R8
	SHLQ $2, R9
	SHLQ $2, R10
	SHLQ $2, R11
	LEAQ (R8)(R8*2), R15
	LEAQ (R9)(R9*2), R13

	MOVQ width+40(FP), AX
	CMPQ AX, $16
	JNE  narrow

	CMPQ R12, $6
	JLT  full
	LEAQ (R9)(R9*4), R12
six:
	GROUP(ZERO6, LOAD6, B_SIX, ROWS6, STORE6, six6, six6step)
	LEAQ (DI)(R8*4), DI
	LEAQ (DI)(R8*2), DI
	LEAQ (SI)(R12*1), SI
	ADDQ R9, SI
	SUBQ $6, rows+24(FP)
	CMPQ rows+24(FP), $6
	JGE  six
	MOVQ rows+24(FP), R12

full:
	CMPQ R12, $4
	JLT  fullrest
	GROUP(ZERO, LOAD4_FULL, B_FULL, ROWS4, STORE4_FULL, full4, full4step)
	LEAQ (DI)(R8*4), DI
	LEAQ (SI)(R9*4), SI
	SUBQ $4, R12
	JMP  full

fullrest: // a last single row counts as two, the second at the same address
	CMPQ R12, $1
	JLT  done
	JGT  fullpair
	XORQ R8, R8
	XORQ R9, R9
fullpair:
	GROUP(ZERO, LOAD2_FULL, B_FULL, ROWS2, STORE2_FULL, full2, full2step)
	LEAQ (DI)(R8*2), DI
	LEAQ (SI)(R9*2), SI
	SUBQ $2, R12
	JMP  fullrest

narrow: // the masks of width and of width-8 lanes, as far as there are any
	MASKS(AX, CX, BX)

narrow4:
	CMPQ R12, $4
	JLT  narrowrest
	GROUP(ZERO, LOAD4_NARROW, B_NARROW, ROWS4, STORE4_NARROW, narrow4begin, narrow4step)
	LEAQ (DI)(R8*4), DI
	LEAQ (SI)(R9*4), SI
	SUBQ $4, R12
	JMP  narrow4

narrowrest:
	CMPQ R12, $1
	JLT  done
	JGT  narrowpair
	XORQ R8, R8
	XORQ R9, R9
narrowpair:
	GROUP(ZERO, LOAD2_NARROW, B_NARROW, ROWS2, STORE2_NARROW, narrow2begin, narrow2step)
	LEAQ (DI)(R8*2), DI
	LEAQ (SI)(R9*2), SI
	SUBQ $2, R12
	JMP  narrowrest

done:
	VZEROUPPER
	RET

// func listed256(c, a, b *float32, from *int32, steps, width, cStride int, add bool)
TEXT ·listed256(SB), NOSPLIT, $0-57
	MOVQ c+0(FP), DI
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), DX
	MOVQ from+24(FP), SI
	MOVQ steps+32(FP), CX
	MOVQ cStride+48(FP), R8
	SHLQ $2, R8
	LEAQ (R8)(R8*2), R15
	MOVQ $4, R9
	MOVQ $12, R13
	MOVQ width+40(FP), R10
	CMPQ R10, $16
	JNE  narrow
	LIST(LOAD4_FULL, B_FULL, STORE4_FULL, full, fullstep, fullend)

narrow: // the masks of width and of width-8 lanes
	MASKS(R10, R11, BX)
	LIST(LOAD4_NARROW, B_NARROW, STORE4_NARROW, few, fewstep, fewend)

// func enlist(to *float32, listed *int32, a *float32, steps, aByRow, aByStep, bStride int) (n int)
TEXT ·enlist(SB), NOSPLIT, $0-64
	MOVQ to+0(FP), R13
	MOVQ listed+8(FP), DX
	MOVQ a+16(FP), SI
	MOVQ steps+24(FP), CX
	MOVQ aByRow+32(FP), R8
	MOVQ aByStep+40(FP), R9
	MOVQ bStride+48(FP), R10
	SHLQ $2, R8
	SHLQ $2, R9
	SHLQ $2, R10
	LEAQ (R8)(R8*2), R11
	XORQ AX, AX // steps listed
	XORQ DI, DI // bytes to the next place
	XORQ BX, BX // bytes to the row of b
	XORQ R12, R12
next:
	VMOVSS (SI), X0
	VINSERTPS $0x10, (SI)(R8*1), X0, X0
	VINSERTPS $0x20, (SI)(R8*2), X0, X0
	VINSERTPS $0x30, (SI)(R11*1), X0, X0
	MOVL BX, (DX)(AX*4)
	VMOVUPS X0, (R13)(DI*1)
	VPSLLD $1, X0, X0 // without signs
	VPTEST X0, X0
	SETNE R12
	ADDQ R12, AX
	MOVQ AX, DI
	SHLQ $4, DI
	ADDQ R9, SI
	ADDQ R10, BX
	DECQ CX
	JNZ  next
	MOVQ AX, n+56(FP)
	RET

// The row after this one, or the last again.
#define AFTER(this, next) \
	LEAQ    (this)(BX*4), next \
	CMPQ    next, DX           \
	CMOVQHI DX, next

// func transpose8(dst, src *float32, rows, steps, stride int)
//
// Eight rows of eight elements are turned at a time. The last eight steps
// overlap those before them unless steps is a multiple of eight; they write the
// same again.
TEXT ·transpose8(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), R8
	MOVQ rows+16(FP), DX
	MOVQ steps+24(FP), CX
	MOVQ stride+32(FP), BX
	DECQ DX
	IMULQ BX, DX
	LEAQ (R8)(DX*4), DX
	AFTER(R8, R9)
	AFTER(R9, R10)
	AFTER(R10, R11)
	AFTER(R11, R12)
	AFTER(R12, R13)
	AFTER(R13, R15)
	AFTER(R15, SI)
	XORQ AX, AX // the step
	SUBQ $8, CX // the last to begin at

turn:
	// Row i and row i+4 side by side, first steps 0 to 3, then 4 to 7.
	VMOVUPS (R8)(AX*4), X0
	VINSERTF128 $1, (R12)(AX*4), Y0, Y0
	VMOVUPS (R9)(AX*4), X1
	VINSERTF128 $1, (R13)(AX*4), Y1, Y1
	VMOVUPS (R10)(AX*4), X2
	VINSERTF128 $1, (R15)(AX*4), Y2, Y2
	VMOVUPS (R11)(AX*4), X3
	VINSERTF128 $1, (SI)(AX*4), Y3, Y3
	VMOVUPS 16(R8)(AX*4), X4
	VINSERTF128 $1, 16(R12)(AX*4), Y4, Y4
	VMOVUPS 16(R9)(AX*4), X5
	VINSERTF128 $1, 16(R13)(AX*4), Y5, Y5
	VMOVUPS 16(R10)(AX*4), X6
	VINSERTF128 $1, 16(R15)(AX*4), Y6, Y6
	VMOVUPS 16(R11)(AX*4), X7
	VINSERTF128 $1, 16(SI)(AX*4), Y7, Y7

	// Four rows of four are turned in each half.
#define TURN4(a, b, c, d, to) \
	VUNPCKLPS b, a, Y8          \
	VUNPCKHPS b, a, Y9          \
	VUNPCKLPS d, c, Y10         \
	VUNPCKHPS d, c, Y11         \
	VUNPCKLPD Y10, Y8, Y12      \
	VUNPCKHPD Y10, Y8, Y13      \
	VUNPCKLPD Y11, Y9, Y14      \
	VUNPCKHPD Y11, Y9, Y15      \
	VMOVUPS   Y12, (to+0)(BX)   \
	VMOVUPS   Y13, (to+192)(BX) \
	VMOVUPS   Y14, (to+384)(BX) \
	VMOVUPS   Y15, (to+576)(BX)
	LEAQ (AX)(AX*2), BX
	SHLQ $6, BX // a row of dst has 192 bytes
	ADDQ DI, BX
	TURN4(Y0, Y1, Y2, Y3, 0)
	TURN4(Y4, Y5, Y6, Y7, 768)

	CMPQ AX, CX
	JGE  turned
	ADDQ $8, AX
	CMPQ AX, CX
	CMOVQGT CX, AX
	JMP  turn
turned:
	VZEROUPPER
	RET

// func slide256(c, a, b *float32, at *int32, rows, steps, cStride, next, cNext int)
TEXT ·slide256(SB), NOSPLIT, $0-72
	MOVQ c+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ steps+40(FP), R9
	MOVQ cStride+48(FP), R8
	MOVQ next+56(FP), R11
	SHLQ $2, R8
	SHLQ $2, R9
	SHLQ $2, R11
	LEAQ (R8)(R8*2), R15
	LEAQ (R9)(R9*2), R13
	LEAQ (R9)(R9*4), R12

six:
	CMPQ rows+32(FP), $6
	JLT  four
	SLIDE(ZERO6, ROWS6, six6)
	SLIDE_STORE6
	LEAQ (BX)(R8*2), DI
	LEAQ (SI)(R12*1), SI
	ADDQ R9, SI
	SUBQ $6, rows+32(FP)
	JMP  six

four:
	CMPQ rows+32(FP), $4
	JLT  rest
	SLIDE(ZERO, ROWS4_SIX, four4)
	SLIDE_STORE4
	LEAQ (DI)(R8*4), DI
	LEAQ (SI)(R9*4), SI
	SUBQ $4, rows+32(FP)

rest: // a last single row counts as two, the second at the same address
	CMPQ rows+32(FP), $1
	JLT  done
	JGT  pair
	XORQ R8, R8
	XORQ R9, R9
pair:
	SLIDE(ZERO, ROWS2_SIX, two2)
	SLIDE_STORE2
	LEAQ (DI)(R8*2), DI
	LEAQ (SI)(R9*2), SI
	SUBQ $2, rows+32(FP)
	JMP  rest

done:
	VZEROUPPER
	RET
