export const USAGE = `svc-verify checks what a staking service crafted against what was asked of it, on pinned terms, in this process and offline.

  svc-verify --trust trust.json --protocol evm-three --action delegate --request req.json --craft craft.json

    --trust <file>      what \`svc trust\` printed, from another way than the service
    --protocol <name>   evm-three: its intent is looked for among those that are installed where this runs; or the name of a package, with its scope
    --action <name>     delegate, claim-rewards, as in the API
    --request <file>    the body that was sent, JSON
    --craft <file>      the body that was answered, JSON; not needed with --signed
    --signed <text>     what came back from whoever signed, hex or base64, or - for standard input: held against the order, and against --craft where it is given
    --chosen <names>    terms that whoever signed was free to choose besides fee and gas: nonce
    --headers <file>    the headers that were answered, JSON; needed for Cosmos, whose account number stands there
    --sent <file>       the headers that were sent, JSON; with --headers it is checked that the answer is the service's, to this very request
    --max-age <s>       the most seconds that such an answer may be old
    --network <id>      as X-NETWORK; without it the default of the trust document

  Exit 0: the transaction is what was asked for; its sentence is printed, and what was taken on the service's word. Exit 1: it is not, and every
  difference is printed. Exit 2: it could not be asked so. Without --sent the signature of the answer is not looked at: the bytes are what is signed.

  svc-verify explain <hex|base64> [--trust trust.json --protocol evm-three [--network 143]] [--headers headers.json]

    Reads any transaction of the four families, unsigned or signed; \`-\` reads it from standard input. With a trust document and a protocol it is put into words.
    It says what the transaction does, not whether it should be signed. Exit 1: it is none.

  svc-verify serve --trust trust.json [--trust other=other.json] [--socket verify.sock]

    Answers questions of programs in any language, a line of JSON each, on standard streams or on a socket of mode 0600: check, payloads, assemble, signed, explain, webhook,
    hello.
    docs/any-language.md has the protocol. It ends with its input.`
