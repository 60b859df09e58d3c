// Calls the service with the client that openapi-generator has made for Go, and prints what it has read.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"example/call/svc"
)

func main() {
	configuration := svc.NewConfiguration()
	configuration.Servers = svc.ServerConfigurations{{URL: os.Getenv("SVC_URL")}}
	client := svc.NewAPIClient(configuration)
	key := map[string]svc.APIKey{"apiKey": {Key: os.Getenv("SVC_API_KEY")}}
	ctx := context.WithValue(context.Background(), svc.ContextAPIKeys, key)
	delegate := func(amount string) (*svc.EvmUnsignedTransaction, error) {
		body := *svc.NewEvmThreeNativeDelegateBody(os.Getenv("SVC_WALLET"), os.Getenv(amount))
		craft, _, err := client.EvmThreeNativeAPI.PostEvmThreeNativeActionDelegate(ctx).EvmThreeNativeDelegateBody(body).Execute()
		return craft, err
	}
	craft := must(delegate("SVC_AMOUNT"))
	balance, _, err := client.EvmThreeNativeAPI.GetEvmThreeNativeStakingBalanceByAddress(ctx, os.Getenv("SVC_STAKER")).Execute()
	must(balance, err)
	history, _, err := client.EvmOneVaultOneAPI.GetEvmOneVaultOneHistoricByAddress(ctx, os.Getenv("SVC_WALLET")).Execute()
	must(history, err)
	_, err = delegate("SVC_TOO_FINE")
	var failure *svc.GenericOpenAPIError
	if !errors.As(err, &failure) {
		fail(fmt.Errorf("no refusal with a body: %v", err))
	}
	refusal, typed := failure.Model().(svc.Refusal)
	if !typed {
		fail(fmt.Errorf("the refusal is a %T", failure.Model()))
	}
	line := must(json.Marshal(map[string]any{
		"bytes":   craft.SerializedTxHex,
		"balance": balance.GetStakeActivationAmount(),
		"created": fmt.Sprint(history[0].CreatedAt),
		"refusal": map[string]any{"status": refusal.StatusCode, "code": refusal.Code, "error": refusal.Error},
	}))
	fmt.Println(string(line))
}

func must[T any](value T, err error) T {
	if err != nil {
		fail(err)
	}
	return value
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
