#include "textflag.h"
#include "each_amd64.h"

// Windows of images, and squares of their pixels.

// EACHROW runs a body, as EACH does, over rows. Rows at DI are R9 bytes apart,
// those at SI R10 bytes. R8 holds how many there are, CX the elements of one.
#define EACHROW(BODY) \
	MOVQ    CX, R11           \
	ANDQ    $-8, R11          \
	SUBQ    R11, CX           \
	SHLQ    $2, R11           \
	LEAQ    ·tails(SB), BX    \
	MOVQ    CX, DX            \
	NEGQ    DX                \
	VMOVUPS 32(BX)(DX*4), Y15 \
	TESTQ   R8, R8            \
	JLE     end               \
row:                              \
	XORQ    AX, AX            \
	CMPQ    AX, R11           \
	JGE     rest              \
eight:                            \
	BODY(GET, PUT)            \
	ADDQ    $32, AX           \
	CMPQ    AX, R11           \
	JLT     eight             \
rest:                             \
	TESTQ   CX, CX            \
	JEQ     next              \
	BODY(GETREST, PUTREST)    \
next:                             \
	ADDQ    R9, DI            \
	ADDQ    R10, SI           \
	DECQ    R8                \
	JNZ     row               \
end:

// func windowOut(dst, src *float32, rows, cols, dstRow, srcRow int)
TEXT ·windowOut(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVQ cols+24(FP), CX
	MOVQ dstRow+32(FP), R9
	MOVQ srcRow+40(FP), R10
	SHLQ $2, R9
	SHLQ $2, R10
#define OUT(GET, PUT) \
	GET(SI, Y0) \
	PUT(Y0, DI)
	EACHROW(OUT)
	DONE

// func windowIn(dst, src *float32, rows, cols, width int)
TEXT ·windowIn(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), SI
	MOVQ src+8(FP), DI
	MOVQ rows+16(FP), R8
	MOVQ cols+24(FP), CX
	MOVQ width+32(FP), R10
	MOVQ CX, R9
	SHLQ $2, R9
	SHLQ $2, R10
#define IN(GET, PUT) \
	GET(DI, Y0)        \
	GET(SI, Y1)        \
	VADDPS Y0, Y1, Y1  \
	PUT(Y1, SI)
	EACHROW(IN)
	DONE

// EACHHALF runs a body EIGHT over eight columns of rows at DI and SI, R9 and R10 bytes
// apart, and ONE over one. R8 holds the number of rows, CX that of columns.
#define EACHHALF(EIGHT, ONE) \
	SHLQ $2, R9              \
	SHLQ $2, R10             \
row:                             \
	XORQ AX, AX              \
	MOVQ CX, R11             \
	SUBQ $8, R11             \
	JLT  rest                \
eight:                           \
	EIGHT                    \
	ADDQ $32, AX             \
	SUBQ $8, R11             \
	JGE  eight               \
rest:                            \
	ADDQ $8, R11             \
	JEQ  next                \
one:                             \
	ONE                      \
	ADDQ $4, AX              \
	DECQ R11                 \
	JNZ  one                 \
next:                            \
	ADDQ R9, DI              \
	ADDQ R10, SI             \
	DECQ R8                  \
	JNZ  row

// Of eight elements and the seven behind them, every second one; the last that is read
// is the last that is taken.
#define TAKE8 \
	VMOVUPS (SI)(AX*2), Y0      \
	VMOVUPS 28(SI)(AX*2), Y1    \
	VSHUFPS $0xD8, Y1, Y0, Y0   \
	VPERMPD $0xD8, Y0, Y0       \
	VMOVUPS Y0, (DI)(AX*1)

#define TAKE1 \
	VMOVSS (SI)(AX*2), X0 \
	VMOVSS X0, (DI)(AX*1)

// func everySecond(dst, src *float32, rows, cols, dstRow, srcRow int)
TEXT ·everySecond(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVQ cols+24(FP), CX
	MOVQ dstRow+32(FP), R9
	MOVQ srcRow+40(FP), R10
	EACHHALF(TAKE8, TAKE1)
	DONE

// The other way round: between them the elements of dst stay.
#define GIVE8 \
	VMOVUPS    (SI)(AX*1), Y0    \
	VMOVUPS    (DI)(AX*2), Y1    \
	VMOVUPS    28(DI)(AX*2), Y2  \
	VUNPCKLPS  Y0, Y0, Y3        \
	VUNPCKHPS  Y0, Y0, Y4        \
	VPERM2F128 $0x20, Y4, Y3, Y5 \
	VPERM2F128 $0x31, Y4, Y3, Y6 \
	VBLENDPS   $0x55, Y5, Y1, Y1 \
	VBLENDPS   $0xAA, Y6, Y2, Y2 \
	VMOVUPS    Y1, (DI)(AX*2)    \
	VMOVUPS    Y2, 28(DI)(AX*2)

#define GIVE1 \
	VMOVSS (SI)(AX*1), X0 \
	VMOVSS X0, (DI)(AX*2)

// func toEverySecond(dst, src *float32, rows, cols, dstRow, srcRow int)
TEXT ·toEverySecond(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVQ cols+24(FP), CX
	MOVQ dstRow+32(FP), R9
	MOVQ srcRow+40(FP), R10
	EACHHALF(GIVE8, GIVE1)
	DONE

// A square is the elements a b of the upper row, at SI, and c d of the lower, at
// R11. SQUARES and SQUARE load those of four outputs and of one into X2 to X5;
// AX is the byte in the outputs.
#define SQUARES \
	VMOVUPS (SI)(AX*2), X0      \
	VMOVUPS 16(SI)(AX*2), X1    \
	VSHUFPS $0x88, X1, X0, X2   \
	VSHUFPS $0xDD, X1, X0, X3   \
	VMOVUPS (R11)(AX*2), X0     \
	VMOVUPS 16(R11)(AX*2), X1   \
	VSHUFPS $0x88, X1, X0, X4   \
	VSHUFPS $0xDD, X1, X0, X5

#define SQUARE \
	VMOVSS (SI)(AX*2), X2   \
	VMOVSS 4(SI)(AX*2), X3  \
	VMOVSS (R11)(AX*2), X4  \
	VMOVSS 4(R11)(AX*2), X5

// EACHSQUARE runs bodies over squares: FOUR over four outputs at AX, ONE over one.
// R8 holds how many pairs of rows there are, R10 the elements of a row. BEGIN and
// END go along with addresses of their own.
#define EACHSQUARE(BEGIN, FOUR, ONE, END) \
	MOVQ R10, R9           \
	SHRQ $1, R9            \
	SHLQ $2, R10           \
	TESTQ R8, R8           \
	JLE  end               \
pair:                          \
	LEAQ (SI)(R10*1), R11  \
	BEGIN                  \
	XORQ AX, AX            \
	MOVQ R9, CX            \
	SUBQ $4, CX            \
	JLT  rest              \
four:                          \
	SQUARES                \
	FOUR                   \
	ADDQ $16, AX           \
	SUBQ $4, CX            \
	JGE  four              \
rest:                          \
	ADDQ $4, CX            \
	JEQ  next              \
one:                           \
	SQUARE                 \
	ONE                    \
	ADDQ $4, AX            \
	DECQ CX                \
	JNZ  one               \
next:                          \
	LEAQ (DI)(R9*4), DI    \
	LEAQ (SI)(R10*2), SI   \
	END                    \
	DECQ R8                \
	JNZ  pair              \
end:

#define NOTHING

// Of equals, and where one is a NaN, VMAXPS takes the one that stands first here, the
// best so far: so does v > best.
#define LARGEST \
	VMAXPS X2, X3, X2 \
	VMAXPS X2, X4, X2 \
	VMAXPS X2, X5, X2

#define LARGEST4 \
	LARGEST \
	VMOVUPS X2, (DI)(AX*1)

#define LARGEST1 \
	LARGEST \
	VMOVSS X2, (DI)(AX*1)

// func largestOf(dst, src *float32, pairs, width int)
TEXT ·largestOf(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ pairs+16(FP), R8
	MOVQ width+24(FP), R10
	EACHSQUARE(NOTHING, LARGEST4, LARGEST1, NOTHING)
	DONE

// FIRSTLARGEST leaves of four gradients in X1 in each of X2 to X5 those whose
// largest element is there: d where it beats all before it, else c, and so on.
#define FIRSTLARGEST \
	VCMPPS  $1, X3, X2, X6 \
	VMAXPS  X2, X3, X7     \
	VCMPPS  $1, X4, X7, X8 \
	VMAXPS  X7, X4, X7     \
	VCMPPS  $1, X5, X7, X9 \
	VANDPS  X1, X9, X5     \
	VANDNPS X1, X9, X1     \
	VANDPS  X1, X8, X4     \
	VANDNPS X1, X8, X1     \
	VANDPS  X1, X6, X3     \
	VANDNPS X1, X6, X2

#define BACK4 \
	VMOVUPS   (DI)(AX*1), X1   \
	FIRSTLARGEST               \
	VUNPCKLPS X3, X2, X0       \
	VUNPCKHPS X3, X2, X1       \
	VMOVUPS   X0, (DX)(AX*2)   \
	VMOVUPS   X1, 16(DX)(AX*2) \
	VUNPCKLPS X5, X4, X0       \
	VUNPCKHPS X5, X4, X1       \
	VMOVUPS   X0, (R12)(AX*2)  \
	VMOVUPS   X1, 16(R12)(AX*2)

#define BACK1 \
	VMOVSS (DI)(AX*1), X1  \
	FIRSTLARGEST           \
	VMOVSS X2, (DX)(AX*2)  \
	VMOVSS X3, 4(DX)(AX*2) \
	VMOVSS X4, (R12)(AX*2) \
	VMOVSS X5, 4(R12)(AX*2)

#define BACKBEGIN LEAQ (DX)(R10*1), R12
#define BACKEND LEAQ (DX)(R10*2), DX

// func largestBack(dsrc, ddst, src *float32, pairs, width int)
TEXT ·largestBack(SB), NOSPLIT, $0-40
	MOVQ dsrc+0(FP), DX
	MOVQ ddst+8(FP), DI
	MOVQ src+16(FP), SI
	MOVQ pairs+24(FP), R8
	MOVQ width+32(FP), R10
	EACHSQUARE(BACKBEGIN, BACK4, BACK1, BACKEND)
	DONE
