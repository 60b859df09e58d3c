/** Description of the service as a whole in the document; Markdown. */
export const DESCRIPTION = `Crafts unsigned staking transactions, assembles signed ones from signatures made elsewhere, broadcasts them, and serves staking data.
It never sees a private key.

**Four steps.** Craft (\`/action/…\`), sign outside, \`/action/prepare\`, \`/action/broadcast\`. Craft, prepare and reads are safe to repeat.

**Amounts** are exact. In requests a number is read digit by digit, or send the decimal as a string. In responses a number's text is the exact decimal;
a parser that makes doubles gets the nearest one. A generated client reads \`/text/openapi.json\`, whose amounts are strings, under the base path \`/text\`.

**\`signature\`** is on every response and binds it to its request (RFC 9421, Ed25519): status, body and type of the answer, and what was asked. Send
\`X-NONCE\` (16 to 128 of \`A-Z a-z 0-9 _ -\`) and \`Content-Digest\`, and an old answer, or one to another body, does not verify. Keys: \`/.well-known/jwks.json\`.

**\`x-signature\`**, the older form, is on every response too: base64 RSASSA-PKCS1-v1_5 with SHA-256 over the exact bytes of the body. The public key is at \`/api/v1/public-key\`.

**Refusals** are of the form \`Error\`. Where \`Accept\` names \`application/problem+json\`, they are of that type and have the members of RFC 9457 besides: \`type\` (\`about:blank\`),
\`title\`, \`status\` and \`detail\`, which is the sentence of \`error\`.

**\`x-request-id\`** is on every response; quote it when you ask about a request.`

/** A sentence for each status. */
export const STATUSES: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  400: 'The request, or the state of the chain, does not allow it; `error` says why.',
  401: 'No credential, or one that is not accepted.',
  404: 'There is nothing under that path or identifier.',
  409: 'The state of the account does not allow it; `error` says why.',
  422: 'Understood, and not possible; `error` says why.',
  429: 'The limit of requests per minute is used up; see `Retry-After`.',
  500: 'A fault of the service.',
  502: "The chain's endpoints are down or answer nonsense; try again.",
  503: 'Not now; see `Retry-After`.',
  504: "The chain's endpoints are too slow; try again.",
}
