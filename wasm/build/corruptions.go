package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"flockscope/sim/catalog"
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/partition"
	"flockscope/ui/guide"
)

// addCorruptions adds pictures of all corruptions to the site, one in colour and one in grey: a row for each option of
// the setting, with the clean picture and severities 1 to 5. The page requests them when it explains the setting.
func addCorruptions(site files) error {
	field, _ := catalog.Schema().Field("corrupt")
	for name, picture := range map[string]int{"shapes": 6, "garments": 0} {
		generator, _ := dataset.Registry.Lookup(name)
		set := generator.Make(1, picture+1)
		clean := make([]float32, set.Shape.Size())
		set.Row(clean, picture)
		sheet, err := corruptionSheet(guide.Corruptions(field), set.Shape, clean)
		if err != nil {
			return err
		}
		site[guide.CorruptionSheet(set.Shape.Channels == 3)] = sheet
	}
	return nil
}

// corruptionSheet returns a PNG file with a row for each corruption.
func corruptionSheet(corruptions []param.Option, shape dataset.Shape, clean []float32) ([]byte, error) {
	high, wide, size := shape.Height, shape.Width, shape.Size()
	row := make([]byte, 6*size)
	for i, x := range clean {
		row[i] = partition.Shade(x)
	}
	sheet := image.Rect(0, 0, 6*wide, len(corruptions)*high)
	colour, grey := image.NewRGBA(sheet), image.NewGray(sheet)
	for at, c := range corruptions {
		if !partition.ShowCorruption(row[size:], c.Name, shape, clean) {
			return nil, fmt.Errorf("there is no corruption %s", c.Name)
		}
		for i := range 6 * high * wide {
			x, y := i/(high*wide)*wide+i%wide, at*high+i/wide%high
			if pixel := row[i*shape.Channels:]; shape.Channels == 3 {
				colour.SetRGBA(x, y, color.RGBA{pixel[0], pixel[1], pixel[2], 255})
			} else {
				grey.SetGray(x, y, color.Gray{pixel[0]})
			}
		}
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	var picture image.Image = grey
	if shape.Channels == 3 {
		picture = colour
	}
	err := encoder.Encode(&out, picture)
	return out.Bytes(), err
}
