package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/trace"
)

// dense is a network of dense layers, written anew: hidden activations are those of a ReLU.
// It returns the activations before the last layer, and the last layer's outputs.
func dense(params []float32, x []float32, widths ...int) (features, out []float64) {
	for _, v := range x {
		out = append(out, float64(v))
	}
	for n, width := range widths {
		features = out
		out = make([]float64, width)
		weights, bias := params[:len(features)*width], params[len(features)*width:]
		for k := range out {
			out[k] = float64(bias[k])
			for j, v := range features {
				out[k] += v * float64(weights[j*width+k])
			}
			if n < len(widths)-1 {
				out[k] = max(out[k], 0)
			}
		}
		params = bias[width:]
	}
	return features, out
}

// played returns a run's last frames, one a lane, and the export.
func played(t *testing.T, query string) ([]trace.Frame, *Exported) {
	t.Helper()
	c := configured(t, query)
	run, err := Record(context.Background(), c, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	e, err := Export(context.Background(), c, nil, false)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var last []trace.Frame
	for _, track := range run.Tracks {
		last = append(last, track.Frames[len(track.Frames)-1])
	}
	return last, e
}

// tests calls do with every sample that models are tried on.
func tests(t *testing.T, e *Exported, do func(client int, x []float32, class int)) {
	t.Helper()
	x, shape := array[float32](t, e, "test_x")
	y, _ := array[float32](t, e, "test_y")
	of, _ := array[int32](t, e, "test_client")
	for i := range shape[0] {
		do(int(of[i]), x[i*shape[1]:(i+1)*shape[1]], int(y[i]))
	}
}

// TestTriedAfterTheRound: loss and accuracy are those of Σ_k ω_k p_k with models and weights of
// after the round, also where the round split or removed clusters, and also of clients that had not
// been asked for long or were never asked; recomputed from the export and the mixtures of the frame.
func TestTriedAfterTheRound(t *testing.T) {
	const base = "data=digits&n=240&C=6&K=2&exam=12&every=1&shift=none&concept=permute&net=softmax&avg=model&b=8&lr=0.3" +
		"&few=2&plain=1&adapt=both&dist=any"
	changed, absent := 0, 0
	for _, query := range []string{
		base + "&hrho=0.05&spare=2&algos=hcfl,hcfl:s,hcfl:c&hcfl:s.weigh=sample&hcfl:c.weigh=count",
		base + "&hrho=0.05&spare=3&rho=0.5&algos=hcfl,hcfl:s,hcfl:r&hcfl:s.weigh=sample&hcfl:r.form=ratio&sd=2&sm=3",
	} {
		before := map[int][]bool{} // clusters in use after the round before, by lane
		for rounds := 1; rounds <= 6; rounds++ {
			frames, e := played(t, fmt.Sprintf("%s&T=%d", query, rounds))
			here, _ := array[int32](t, e, "here")
			for i := range 6 {
				if here[(rounds-1)*6+i] == 0 {
					absent++
				}
			}
			for lane, f := range frames {
				end, shape := array[float32](t, e, fmt.Sprintf("lane%d.end", lane))
				models, size := shape[0], shape[1]
				used := make([]bool, models)
				for i, w := range f.Mixture {
					used[i%models] = used[i%models] || w > 0
				}
				if last := before[lane]; last != nil && !slices.Equal(used, last) {
					changed++
				}
				before[lane] = used
				loss, right, held := make([]float64, 6), make([]float64, 6), make([]float64, 6)
				tests(t, e, func(i int, x []float32, class int) {
					p := make([]float64, 10)
					for k := range models {
						_, out := dense(end[k*size:(k+1)*size], x, 10)
						sum, largest := 0.0, slices.Max(out)
						for c, v := range out {
							out[c] = math.Exp(v - largest)
							sum += out[c]
						}
						for c, v := range out {
							p[c] += float64(f.Mixture[i*models+k]) * v / sum
						}
					}
					loss[i] -= math.Log(p[class])
					right[i] += bit(slices.Index(p, slices.Max(p)) == class)
					held[i]++
				})
				mean, worst, accuracy := 0.0, 0.0, 0.0
				for i := range loss {
					mean += loss[i] / held[i] / 6
					worst = max(worst, loss[i]/held[i])
					accuracy += right[i] / held[i] / 6
				}
				if math.Abs(f.Loss-mean) > 1e-5*mean || math.Abs(f.Worst-worst) > 1e-5*worst ||
					math.Abs(f.Accuracy-accuracy) > 1e-6 {
					t.Errorf("%s&T=%d, lane %d: loss %v, worst %v, accuracy %v, want %v, %v and %v", query, rounds, lane,
						f.Loss, f.Worst, f.Accuracy, mean, worst, accuracy)
				}
			}
		}
	}
	if changed < 5 || absent < 5 {
		t.Errorf("clusters were split or removed in %d rounds, and %d clients absent: this proves little", changed, absent)
	}
}

func bit(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// TestFedProtoTriedAfterTheRound: a sample gets the class of the prototype nearest to it, as models
// and prototypes are after the round: means over the clients' samples of what the models that they
// arrived at make of them (equations 3 and 6); recomputed from the export.
func TestFedProtoTriedAfterTheRound(t *testing.T) {
	const width = 8
	frames, e := played(t, fmt.Sprintf(
		"data=digits&n=300&C=4&T=2&exam=15&every=1&shift=none&net=mlp&hidden=%d&avg=model&b=8&lr=0.3&algos=fedproto", width))
	end, shape := array[float32](t, e, "lane0.end")
	model := func(i int) []float32 { return end[i*shape[1] : (i+1)*shape[1]] }
	x, in := array[float32](t, e, "train_x")
	y, _ := array[float32](t, e, "train_y")
	of, _ := array[int32](t, e, "train_client")
	var sum [10][width]float64
	var count [10]float64
	for n := range in[0] {
		z, _ := dense(model(int(of[n])), x[n*in[1]:(n+1)*in[1]], width, 10)
		for j, v := range z {
			sum[int(y[n])][j] += v
		}
		count[int(y[n])]++
	}
	right, held := make([]float64, 4), make([]float64, 4)
	tests(t, e, func(i int, x []float32, class int) {
		z, _ := dense(model(i), x, width, 10)
		best, least := -1, math.Inf(1)
		for c := range sum {
			if distance := 0.0; count[c] > 0 {
				for j, v := range z {
					distance += math.Pow(v-sum[c][j]/count[c], 2)
				}
				if distance < least {
					best, least = c, distance
				}
			}
		}
		right[i] += bit(best == class)
		held[i]++
	})
	for i, n := range held {
		if got, want := float64(frames[0].Accuracies[i]), right[i]/n; math.Abs(got-want) > 1e-6 {
			t.Errorf("client %d is right for %v, want %v", i, got, want)
		}
	}
}

// TestMixturesRisk: on lines, the loss of a client that weighs several models is that of their mixture
// Σ_k ω_k f_k: with x ~ N(0, I), ‖Σ_k ω_k θ_k − θ*‖² + σ², and with samples of two kinds the mean over
// both; recomputed from the models and mixtures of every frame.
func TestMixturesRisk(t *testing.T) {
	const sigma2 = 0.04
	star := [][2]float64{{1, 0}, {0, 1}}
	for _, tt := range []struct {
		query string
		kappa []float64 // of each group, the share of the first kind
	}{
		{"data=mix2&T=30&sigma=0.2&algos=fedem,fedrc,hcfl,hcfl:s&hcfl:s.weigh=sample", []float64{1, 0, 0.3}},
		{"data=mix2&T=30&sigma=0.2&avg=model&tau=2&lr=0.05&rho=0.6&algos=fedem,hcflplus,hcfl,hcfl:s" +
			"&hcfl:s.weigh=sample&adapt=both&hrho=0.01&plain=1&spare=2&blend=0.6", []float64{1, 0, 0.6}},
	} {
		run, err := Record(context.Background(), configured(t, tt.query), nil)
		if err != nil {
			t.Fatal(err)
		}
		for lane, track := range run.Tracks {
			models, parted := run.Header.Lanes[lane].Models, 0.0
			for n, f := range track.Frames {
				mean, worst := 0.0, 0.0
				for i, g := range run.Header.Group {
					var theta [2]float64
					for k := range models {
						for j := range theta {
							theta[j] += float64(f.Mixture[i*models+k]) * float64(f.Models[k*2+j])
						}
					}
					risk := sigma2
					for kind, share := range []float64{tt.kappa[g], 1 - tt.kappa[g]} {
						risk += share * (math.Pow(theta[0]-star[kind][0], 2) + math.Pow(theta[1]-star[kind][1], 2))
					}
					mean += risk / float64(len(run.Header.Group))
					worst = max(worst, risk)
					parted = max(parted, 1-float64(slices.Max(f.Mixture[i*models:(i+1)*models])))
				}
				if math.Abs(f.Loss-mean) > 1e-6 || math.Abs(f.Worst-worst) > 1e-6 {
					t.Fatalf("%s, lane %d, round %d: loss %v and worst %v, want %v and %v", tt.query, lane, n, f.Loss,
						f.Worst, mean, worst)
				}
			}
			if parted < 0.2 {
				t.Errorf("%s, lane %d: all clients have one model: this proves little", tt.query, lane)
			}
		}
	}
}

// TestMixtureOnTwoKinds: clients whose samples are of two kinds are better off with a mixture of two
// models than with either: FedEM comes near the floor, and IFCA does not.
func TestMixtureOnTwoKinds(t *testing.T) {
	run, err := Record(context.Background(), configured(t, "data=mix2&algos=fedem,ifca"), nil)
	if err != nil {
		t.Fatal(err)
	}
	em, hard, floor := run.Tracks[0].Summary.Loss, run.Tracks[1].Summary.Loss, run.Header.DataPreview.Floor
	if !(em < hard-0.02) || !(em < floor+0.01) || em < floor {
		t.Errorf("loss %.4f with FedEM and %.4f with IFCA, want FedEM's near the floor %.4f", em, hard, floor)
	}
}

// TestSampleWiseIsEM: where samples have no freedom (μ = 0), weights sample by sample are those of
// expectation maximisation, in every round, with splits and removals and clients that miss rounds.
func TestSampleWiseIsEM(t *testing.T) {
	const both = "&algos=hcfl:s,hcfl:e&hcfl:s.weigh=sample&hcfl:s.mu=0&hcfl:e.weigh=em"
	for _, query := range []string{
		"data=linreg&T=40&avg=model&tau=2",
		"data=mix2&T=20&avg=model&form=joint",
		"data=digits&n=240&C=6&T=8&K=2&exam=12&every=1&shift=none&concept=permute&net=softmax&avg=model&b=8&adapt=both&dist=any&plain=1&hrho=0.05&spare=3&few=2",
		"data=digits&n=240&C=6&T=6&K=2&exam=12&every=1&rho=0.6&drop=0.2&net=mlp&hidden=8&avg=model&b=8&heads=1&adapt=both&dist=any&plain=1&hrho=0.01&spare=2&few=2",
	} {
		run, err := Record(context.Background(), configured(t, query+both), nil)
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range run.Tracks[1].Frames {
			got := run.Tracks[0].Frames[n]
			same := slices.EqualFunc(got.Mixture, want.Mixture,
				func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 })
			if !same || !slices.Equal(got.Label, want.Label) || math.Abs(got.Loss-want.Loss) > 1e-6 {
				t.Errorf("%s: round %d: loss %v and weights %v, want %v and %v", query, n, got.Loss, got.Mixture, want.Loss,
					want.Mixture)
				break
			}
		}
	}
}
