// Stakes on four families, until verified webhooks call each final: go run . svc-verify.mjs <data folder>. Needs nothing but Go.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

type object = map[string]any

var orders = [][5]string{
	{"evm", "evm-three/native", "delegate", `{"address":%q,"amount":100}`, "address"},
	{"cosmos", "hub-one/native", "stake", `{"pubkey":%q,"amount":2}`, "public_key"},
	{"svm", "svm-one/native", "stake", `{"wallet_address":%q,"amount":2}`, "address"},
	{"move", "move-one/native", "stake", `{"wallet_address":%q,"amount":2}`, "address"},
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// call returns the text of an answer as it came, and its headers.
func call(method, url, body, header string, credential any) (string, http.Header) {
	request := must(http.NewRequest(method, url, strings.NewReader(body)))
	request.Header = http.Header{"Content-Type": {"application/json"}, header: {fmt.Sprint(credential)}}
	answer := must(http.DefaultClient.Do(request))
	text := string(must(io.ReadAll(answer.Body)))
	if answer.StatusCode >= 300 {
		log.Fatalf("%s answered %d: %s", url, answer.StatusCode, text)
	}
	return text, answer.Header
}

func parsed(text string, _ http.Header) (value object) {
	must(0, json.Unmarshal([]byte(text), &value))
	return value
}

func main() {
	data, count, turn := os.Args[2], 0.0, make(chan bool, 1)
	sandbox := parsed(string(must(os.ReadFile(data+"/sandbox.json"))), nil)
	base, key, token := fmt.Sprint(sandbox["baseUrl"], "/api/v1/"), sandbox["apiKey"], sandbox["managementToken"]
	// The check is a child process. Whatever it does not find right is an error, its end too: do not sign, do not use.
	child := exec.Command("node", os.Args[1], "serve", "--trust", data+"/trust.json")
	in, out := json.NewEncoder(must(child.StdinPipe())), json.NewDecoder(must(child.StdoutPipe()))
	must(0, child.Start())
	ask := func(do string, question object) (answer object, err error) {
		turn <- true
		defer func() { <-turn }()
		count++
		question["v"], question["id"], question["do"] = 1, count, do
		isBroken := in.Encode(question) != nil || out.Decode(&answer) != nil
		if isBroken || answer["ok"] != true || answer["v"] != 1.0 || answer["id"] != count {
			err = fmt.Errorf("not right: %v: %v %v", answer["code"], answer["sentence"], answer["mismatches"])
		}
		return answer, err
	}
	finals, listener := make(chan any, len(orders)), must(net.Listen("tcp", "127.0.0.1:0"))
	receiver := fmt.Sprintf(`{"url":"http://%s/","events":["transaction.final"]}`, listener.Addr())
	hook := parsed(call("POST", base+"webhooks", receiver, "Token", token))
	defer call("DELETE", fmt.Sprint(base, "webhooks/", hook["ulid"]), "", "Token", token)
	go http.Serve(listener, http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		if answer, err := ask("webhook", object{"headers": request.Header, "body": string(body), "keys": []any{hook["secret"]}}); err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
		} else {
			finals <- answer["content"].(object)["data"].(object)["tx_hash"]
		}
	}))
	wallets := map[any]object{}
	for _, each := range parsed(call("GET", base+"sandbox", "", "Token", token))["wallets"].([]any) {
		wallets[each.(object)["family"]] = each.(object)
	}
	for _, order := range orders {
		wallet, url := wallets[order[0]], base+order[1]+"/action/"
		request := fmt.Sprintf(order[3], wallet[order[4]])
		craft, headers := call("POST", url+order[2], request, "X-Api-Key", key)
		question := object{"protocol": order[1], "action": order[2], "request": request, "craft": craft, "headers": headers}
		sign := must(ask("check", question))["sign"].(object)
		// Here stands your custodian: it gets the payload of the check, and nothing else.
		asked := fmt.Sprintf(`{"family":%q,"address":%q,"payload":"0x%s"}`, order[0], wallet["address"], sign["payload_hex"])
		question["signature"] = parsed(call("POST", base+"sandbox/wallets/sign", asked, "Token", token))
		done := must(ask("assemble", question))
		call("POST", url+"broadcast", string(must(json.Marshal(done["signed"]))), "X-Api-Key", key)
		for <-finals != done["tx_hash"] {
		}
		fmt.Printf("%s: %v %v is final\n", order[0], done["sentence"], done["tx_hash"])
	}
}
