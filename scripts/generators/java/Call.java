import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EvmOneVaultOneApi;
import org.openapitools.client.api.EvmThreeNativeApi;
import org.openapitools.client.model.EvmThreeNativeDelegateBody;
import org.openapitools.client.model.Refusal;

/** Calls the service with the client that openapi-generator has made for Java's own HTTP client, and prints what it has read. */
public class Call {
  public static void main(String[] args) throws Exception {
    Map<String, String> env = System.getenv();
    ApiClient client = new ApiClient();
    client.updateBaseUri(env.get("SVC_URL"));
    client.setRequestInterceptor(request -> request.header("X-API-KEY", env.get("SVC_API_KEY")));
    EvmThreeNativeApi monad = new EvmThreeNativeApi(client);
    ObjectMapper json = new ObjectMapper();
    Map<String, Object> read = new LinkedHashMap<>();
    read.put("bytes", monad.postEvmThreeNativeActionDelegate(body(env, "SVC_AMOUNT"), null, null).getSerializedTxHex());
    read.put("balance", monad.getEvmThreeNativeStakingBalanceByAddress(env.get("SVC_STAKER"), null, null).getStakeActivationAmount());
    long created = new EvmOneVaultOneApi(client).getEvmOneVaultOneHistoricByAddress(env.get("SVC_WALLET"), null, null).get(0).getCreatedAt();
    read.put("created", String.valueOf(created));
    try {
      monad.postEvmThreeNativeActionDelegate(body(env, "SVC_TOO_FINE"), null, null);
    } catch (ApiException exception) {
      Refusal refusal = json.readValue(exception.getResponseBody(), Refusal.class);
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("status", exception.getCode());
      members.put("code", refusal.getCode());
      members.put("error", refusal.getError());
      read.put("refusal", members);
    }
    System.out.println(json.writeValueAsString(read));
  }

  private static EvmThreeNativeDelegateBody body(Map<String, String> env, String amount) {
    return new EvmThreeNativeDelegateBody().address(env.get("SVC_WALLET")).amount(env.get(amount));
  }
}
