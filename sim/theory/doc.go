// Package theory has what the papers prove, as functions: the bounds of their theorems, and the quantities that these
// bounds are of. Where a distribution is known in closed form, they can be computed and held against a run. Numbers of
// equations are those of the cited papers. Constants that a paper leaves open are arguments.
//
//	cflgp.go     CFL-GP: misplaced clients (18), error of models (4), (5) and (57), Proposition 1
//	line.go      gradients of the linear regression of CFL-GP's section 5.1, and their noise
//	clove.go     CLoVE: separation of loss vectors (Lemmas A.1 and A.2), the proximity condition, decay of errors
//	hcfl.go      HCFL: distance of representations (Definition B.1), Theorem B.12 and its fixed point
//	simulate.go  CLoVE's and HCFL's algorithms in the form that their theorems are about
package theory
