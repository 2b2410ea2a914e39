//go:build unix

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	dir  string
	name string // of the file with its certificate
}

func writePEM(t *testing.T, name, kind string, data []byte) string {
	t.Helper()
	if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir()}
	a.name, _ = a.sign(t, "ca")
	return a
}

// sign makes a certificate for this computer and returns the files with it and its key.
func (a *authority) sign(t *testing.T, who string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: who},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		template.IsCA, template.BasicConstraintsValid = true, true
		parent, signer = template, private
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &private.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert == nil {
		if a.cert, err = x509.ParseCertificate(der); err != nil {
			t.Fatal(err)
		}
		a.key = private
	}
	bytes, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return writePEM(t, filepath.Join(a.dir, who+".pem"), "CERTIFICATE", der),
		writePEM(t, filepath.Join(a.dir, who+"-key.pem"), "EC PRIVATE KEY", bytes)
}

// config is that of a server, which asks clients for certificates of the same authority
// if verify is set.
func (a *authority) config(t *testing.T, verify bool) *tls.Config {
	t.Helper()
	cert, key := a.sign(t, "server")
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if verify {
		c.ClientCAs, c.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		c.ClientCAs.AddCert(a.cert)
	}
	return c
}

// A credentials file is that of a user of an account, as nsc makes it.
func credentials(t *testing.T, account nkeys.KeyPair, name string) string {
	t.Helper()
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, _ := user.PublicKey()
	claims := jwt.NewUserClaims(public)
	token, err := claims.Encode(account)
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := user.Seed()
	text, err := jwt.FormatUserConfig(token, seed)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestTLS runs a sweep over TLS, with a password, with a certificate of the client, and
// with a credentials file; whoever lacks one of these is told which.
func TestTLS(t *testing.T) {
	a, stranger := newAuthority(t), newAuthority(t)
	operator, _ := nkeys.CreateOperator()
	account, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	other, _ := nkeys.CreateAccount()
	public, _ := account.PublicKey()
	issuer, _ := operator.PublicKey()
	claims := jwt.NewAccountClaims(public)
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	token, err := claims.Encode(operator)
	if err != nil {
		t.Fatal(err)
	}
	resolver := &natsserver.MemAccResolver{}
	if err := resolver.Store(public, token); err != nil {
		t.Fatal(err)
	}
	system, _ := nkeys.CreateAccount() // servers with accounts want one of their own
	systemName, _ := system.PublicKey()
	if token, err = jwt.NewAccountClaims(systemName).Encode(operator); err != nil {
		t.Fatal(err)
	}
	if err := resolver.Store(systemName, token); err != nil {
		t.Fatal(err)
	}
	server := func(verify bool, change func(*natsserver.Options)) string {
		url := natsServer(t, t.TempDir(), 0, func(o *natsserver.Options) {
			o.TLSConfig, o.TLSTimeout = a.config(t, verify), 10
			change(o)
		}).ClientURL()
		return "tls://" + url[strings.Index(url, "://")+3:]
	}
	password := server(false, func(o *natsserver.Options) { o.Username, o.Password = "ann", "secret" })
	password = strings.Replace(password, "://", "://ann:secret@", 1)
	mutual := server(true, func(o *natsserver.Options) { o.TLSVerify = true })
	signed := server(false, func(o *natsserver.Options) {
		o.TrustedKeys, o.AccountResolver, o.SystemAccount = []string{issuer}, resolver, systemName
	})
	cert, key := a.sign(t, "client")
	badCert, badKey := stranger.sign(t, "client")
	creds, badCreds := credentials(t, account, "a.creds"), credentials(t, other, "b.creds")

	want := quiet(t, sweepOf())
	for name, args := range map[string][]string{
		"password":    {"-nats", password, "-tlsca", a.name},
		"certificate": {"-nats", mutual, "-tlsca", a.name, "-tlscert", cert, "-tlskey", key},
		"credentials": {"-nats", signed, "-tlsca", a.name, "-creds", creds},
	} {
		work := start(append([]string{"work", "-workers", "2"}, args...)...)
		sweep := start(sweepOf(append(args, "-jsonl")...)...)
		sweep.done(t, 0)
		if sweep.out.String() != want {
			t.Errorf("%s: the results are others", name)
		}
		work.stop()
		work.done(t, exitStopped)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-nats", password}, "-tlsca"},
		{[]string{"-nats", password, "-tlsca", stranger.name}, "-tlsca"},
		{[]string{"-nats", strings.Replace(password, "secret", "wrong", 1), "-tlsca", a.name}, "refuses these credentials"},
		{[]string{"-nats", mutual, "-tlsca", a.name}, "-tlscert"},
		{[]string{"-nats", mutual, "-tlsca", a.name, "-tlscert", badCert, "-tlskey", badKey}, "-tlscert"},
		{[]string{"-nats", signed, "-tlsca", a.name}, "refuses these credentials"},
		{[]string{"-nats", signed, "-tlsca", a.name, "-creds", badCreds}, "refuses these credentials"},
		{[]string{"-nats", signed, "-tlsca", a.name, "-creds", "none.creds"}, "none.creds"},
		{[]string{"-nats", signed, "-tlsca", "none.pem"}, "none.pem"},
	} {
		for _, args := range [][]string{sweepOf(tt.args...), append([]string{"work"}, tt.args...)} {
			_, errs := says(t, exitFailed, args...)
			if !strings.Contains(errs, tt.want) || strings.Count(strings.TrimSpace(errs), "\n") > 0 ||
				strings.Contains(errs, "wrong@") {
				t.Errorf("flock %q says %q, want one sentence about %q", args, errs, tt.want)
			}
		}
	}
}
