// Stakes on four families: go run . svc-verify.mjs [data folder]. Needs nothing but Go.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

type object = map[string]any

func fail(sentence string, more ...any) {
	fmt.Fprintf(os.Stderr, sentence+"\n", more...)
	os.Exit(1)
}

func must[T any](value T, err error) T {
	if err != nil {
		fail("%v", err)
	}
	return value
}

func text(value any) string { return string(must(json.Marshal(value))) }

func parsed(line string) (value object) {
	if err := json.Unmarshal([]byte(line), &value); err != nil {
		fail("no JSON: %v", err)
	}
	return value
}

// check is a child process that reads transactions, and answers a line with a line.
type check struct {
	in    io.Writer
	out   *bufio.Reader
	count int
}

func (c *check) ask(do string, question object, more object) object {
	c.count++
	asked := object{"v": 1, "id": c.count, "do": do}
	for _, members := range []object{question, more} {
		for name, value := range members {
			asked[name] = value
		}
	}
	fmt.Fprintln(c.in, text(asked))
	line, err := c.out.ReadString('\n')
	if err != nil {
		fail("Not signed: nothing was checked: %v", err)
	}
	answer := parsed(line)
	if answer["ok"] != true || answer["v"] != 1.0 || answer["id"] != float64(c.count) {
		fail("Not signed: %v: %v %v", answer["code"], answer["sentence"], answer["mismatches"])
	}
	return answer
}

// call returns text and headers of an answer; the text is handed on as it came.
func call(url, body, header, credential string) (string, object) {
	method := "POST"
	if body == "" {
		method = "GET"
	}
	request := must(http.NewRequest(method, url, bytes.NewBufferString(body)))
	request.Header.Set("content-type", "application/json")
	request.Header.Set(header, credential)
	answer := must(http.DefaultClient.Do(request))
	defer answer.Body.Close()
	content := string(must(io.ReadAll(answer.Body)))
	if answer.StatusCode != 200 {
		fail("%s answered %d: %s", url, answer.StatusCode, content)
	}
	headers := object{}
	for name, values := range answer.Header {
		headers[name] = values[0]
	}
	return content, headers
}

func stake(sandbox object, c *check, family, path, action string, wallet, order object) {
	base, key, token := sandbox["baseUrl"].(string), sandbox["apiKey"].(string), sandbox["managementToken"].(string)
	url := base + "/api/v1/" + path + "/action/"
	request := text(order)
	craft, headers := call(url+action, request, "x-api-key", key)
	question := object{"protocol": path, "action": action, "request": request, "craft": craft, "headers": headers}
	sign := c.ask("check", question, nil)["sign"].(object)
	// Here stands your custodian: it gets the payload of the check, and nothing else.
	asked := object{"family": family, "address": wallet["address"], "payload": "0x" + sign["payload_hex"].(string)}
	answer, _ := call(base+"/api/v1/sandbox/wallets/sign", text(asked), "token", token)
	signed := parsed(answer)
	signature := signed["signature"]
	if family == "move" {
		signature = object{"signature": signed["signature"], "public_key": signed["public_key"]}
	}
	done := c.ask("assemble", question, object{"signature": signature})
	prepared, _ := call(url+"prepare", text(done["prepare"]), "x-api-key", key)
	for name, value := range done["signed"].(object) {
		if parsed(prepared)[name] != value {
			fail("Not sent: what was prepared is not what was signed.")
		}
	}
	sent, _ := call(url+"broadcast", text(done["signed"]), "x-api-key", key)
	if parsed(sent)["tx_hash"] != done["tx_hash"] {
		fail("The service names %v; what was sent is %v: look that up.", parsed(sent)["tx_hash"], done["tx_hash"])
	}
	fmt.Printf("%s: %v %v\n", family, done["sentence"], done["tx_hash"])
}

func main() {
	program, data := os.Args[1], os.Getenv("SVC_DATA")
	if len(os.Args) > 2 {
		data = os.Args[2]
	}
	sandbox := parsed(string(must(os.ReadFile(filepath.Join(data, "sandbox.json")))))
	content, _ := call(sandbox["baseUrl"].(string)+"/api/v1/sandbox", "", "token", sandbox["managementToken"].(string))
	about := parsed(content)
	trust := filepath.Join(data, "trust.json") // of a service of yours it comes by another way, and is kept
	if err := os.WriteFile(trust, []byte(text(about["trust"])), 0o600); err != nil {
		fail("%v", err)
	}
	child := exec.Command("node", program, "serve", "--trust", trust)
	in, out := must(child.StdinPipe()), must(child.StdoutPipe())
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		fail("%v", err)
	}
	c := &check{in: in, out: bufio.NewReader(out)}
	for _, each := range about["wallets"].([]any) {
		// Of each family the last wallet is the one that is left.
		wallet := each.(object)
		wallets[wallet["family"].(string)] = wallet
	}
	for _, order := range orders {
		wallet := wallets[order.family]
		body := object{order.signer: wallet[order.from], "amount": order.amount}
		stake(sandbox, c, order.family, order.path, order.action, wallet, body)
	}
}

var wallets = map[string]object{}

var orders = []struct {
	family, path, action, signer, from string
	amount                             int
}{
	{"evm", "evm-three/native", "delegate", "address", "address", 100},
	{"cosmos", "hub-one/native", "stake", "pubkey", "public_key", 2},
	{"svm", "svm-one/native", "stake", "wallet_address", "address", 2},
	{"move", "move-one/native", "stake", "wallet_address", "address", 2},
}
