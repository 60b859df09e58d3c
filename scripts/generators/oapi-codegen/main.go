// Calls the service with the client that oapi-codegen has made, and prints what it has read.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example/call/oapi"
)

func main() {
	key := oapi.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-KEY", os.Getenv("SVC_API_KEY"))
		return nil
	})
	client := must(oapi.NewClientWithResponses(os.Getenv("SVC_URL"), key))
	ctx := context.Background()
	delegate := func(amount string) *oapi.PostEvmThreeNativeActionDelegateResponse {
		body := oapi.EvmThreeNativeDelegateBody{Address: os.Getenv("SVC_WALLET"), Amount: os.Getenv(amount)}
		return must(client.PostEvmThreeNativeActionDelegateWithResponse(ctx, nil, body))
	}
	craft := delegate("SVC_AMOUNT")
	balance := must(client.GetEvmThreeNativeStakingBalanceByAddressWithResponse(ctx, os.Getenv("SVC_STAKER"), nil))
	history := must(client.GetEvmOneVaultOneHistoricByAddressWithResponse(ctx, os.Getenv("SVC_WALLET"), nil))
	refused := delegate("SVC_TOO_FINE")
	if craft.JSON200 == nil || balance.JSON200 == nil || history.JSON200 == nil || refused.JSON400 == nil {
		fmt.Fprintln(os.Stderr, craft.Status(), balance.Status(), history.Status(), refused.Status())
		os.Exit(1)
	}
	line := must(json.Marshal(map[string]any{
		"bytes":   craft.JSON200.SerializedTxHex,
		"balance": balance.JSON200.StakeActivationAmount,
		"created": fmt.Sprint((*history.JSON200)[0].CreatedAt),
		"refusal": map[string]any{"status": refused.StatusCode(), "code": refused.JSON400.Code, "error": refused.JSON400.Error},
	}))
	fmt.Println(string(line))
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}
