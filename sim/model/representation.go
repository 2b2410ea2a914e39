package model

// Representation is linear regression through a representation, with no constants:
//
//	f(x) = θᵀ Bᵀ x      L = (1/N) Σ (y − f(x))²
//
// with B, inputs × width, the trunk and θ the head. It is the model of HCFL's
// appendix B, and of Collins et al., Exploiting Shared Representations for
// Personalized Federated Learning, ICML 2021.
func Representation(inputs, width int) *Network {
	layers := []stage{{&dense{inputs, width, false}, identity}, {&dense{width, 1, false}, identity}}
	return newNetwork(Regression, Shape{1, inputs, 1}, 1, layers)
}
