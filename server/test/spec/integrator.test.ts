import { execFile, spawnSync } from 'node:child_process'
import { createPrivateKey, createVerify, sign as ed25519 } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { decodeSignature } from '@cosmjs/amino'
import { DirectSecp256k1HdWallet, DirectSecp256k1Wallet, decodeTxRaw, makeSignDoc } from '@cosmjs/proto-signing'
import { TxRaw } from '@keplr-wallet/proto-types/cosmos/tx/v1beta1/tx.js'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { base58 } from '@scure/base'
import { Keypair, Transaction as SolanaTransaction } from '@solana/web3.js'
import { eventually } from '@svc/testing/eventually'
import { Wallet as EthersWallet, getBytes, SigningKey, Transaction } from 'ethers'
import t from 'tap'
import { call, freshWallet, get, post, sandbox } from '../support/service.ts'

// Samples that an integrator has at hand: requests of a shell, and what the pages on signing of such APIs do with a private key and with Fireblocks. Each works as it stands, or is refused with
// what would be right. Of Fireblocks the account with its keys is stood in for; what it is sent and what comes back has the shape of its API.

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const { evm, cosmos, svm, move } = sandbox.wallets as any

/** Answers by the title of the request in `integrator.sh`: the status, and what the body must have. */
const ANSWERS: Readonly<Record<string, readonly [number, RegExp]>> = {
  'the vault': [200, /^\{"vaultAddress":"0x[\da-fA-F]{40}","apy":\d/],
  networks: [200, /"type":"ETHEREUM","chain_id":"1","is_default":true/],
  'a position': [200, /^\{"staked_amount":0,"stake_activation_amount":null,/],
  'what an address has done': [200, /^\[/],
  'a week of an address': [200, /^\[/],
  'a stake in the vault': [200, /"value":"0x6f05b59d3b20000"/],
  'a delegation without a network': [200, /"value":"0x14d1120d7b160000"/],
  'health without a key': [200, /^\{"status":"ok","info":\{"database":\{"status":"up"\}/],
  'an exit before there is a stake': [422, /"error":".*0\.2.*\."/],
  'a withdrawal before there is an exit': [400, /"error":".*\."/],
  'the balance of older days': [404, /did you mean \/api\/v1\/evm-one\/vault-one\/staking-balance\?/],
  'the exit queue of older days': [404, /did you mean \/api\/v1\/evm-one\/vault-one\/staking-balance\?/],
  'the balance of a liquid token of older days': [404, /did you mean \/api\/v1\/evm-three\/liquid-a\/staking-balance\?/],
  'a prefix alone': [404, /below it are .*networks.*staking-balance/],
  'a protocol by the name of its chain': [404, /the protocols are at \/api\/v1\/hub-one\/native, .*\/api\/v1\/evm-one\/vault-one/],
  'a network that is none': [400, /mainnet.*1.*560048/],
  'an address in place of a public key': [400, /is not a public key in hex: 33 bytes that begin with 02 or 03, or 65 that begin with 04/],
  'a member by another name': [400, /no member \\"delegatorAddress\\" in this request; it has address, amount/],
  'a validator of the caller’s own': [400, /no member \\"validator_address\\" in this request; it has wallet_address, amount/],
  'a key as a bearer token': [401, /This needs an API key in the header X-API-KEY/],
}

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'this machine has no curl'
t.test('requests of a shell are answered as they were pasted, or say what would be right', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-curl-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  // The text stays as it is; the status is written behind each answer.
  await writeFile(join(folder, '.curlrc'), 'write-out = "\\n%{http_code}"\n')
  const env = { ...process.env, CURL_HOME: folder, BASE: sandbox.baseUrl, API_KEY: sandbox.apiKey, ADDRESS: evm[4].address }
  const [, ...blocks] = (await readFile(new URL('../support/integrator.sh', import.meta.url), 'utf8')).split('\n\n')
  const titles = blocks.map((block) => block.slice(2, block.indexOf('\n')).replace("'", '’'))
  t.same(titles, Object.keys(ANSWERS), 'each has an answer here')
  for (const [index, block] of blocks.entries()) {
    const title = titles[index] ?? ''
    const { stdout } = await promisify(execFile)('bash', ['-c', block], { env })
    const [body = '', status] = stdout.split(/\n(?=\d{3}$)/)
    const [expected, content] = ANSWERS[title] ?? []
    t.equal(Number(status), expected, `${title}: ${body.slice(0, 200)}`)
    t.match(body, content, title)
  }
})

t.test('the signature of a response is verified in three lines', async (t) => {
  const { headers, text } = await get('networks')
  const verifies = (body: string) =>
    createVerify('RSA-SHA256')
      .update(body)
      .verify(sandbox.publicKeyPem, String(headers.get('x-signature')), 'base64')
  t.ok(verifies(text))
  t.notOk(verifies(`${text} `))
})

/** Fireblocks, as its RAW operation is used: content in hex, a signature for each message, by the keys of a vault. */
function fireblocks(signs: (content: Buffer) => { fullSig: string; r?: string; s?: string; v?: number }, publicKey: string) {
  return async (request: { operation: string; extraParameters: { rawMessageData: { messages: { content: string }[] } } }) => {
    if (request.operation !== 'RAW') throw new Error(`Its operation is ${request.operation}.`)
    const signedMessages = request.extraParameters.rawMessageData.messages.map(({ content }) => {
      if (!/^([\da-f]{2})+$/i.test(content)) throw new Error('The content is not hexadecimal.')
      return { content, derivationPath: [44, 60, 0, 0, 0], publicKey, signature: signs(Buffer.from(content, 'hex')) }
    })
    return { status: 'COMPLETED', signedMessages }
  }
}
const raw = (assetId: string, content: string) => ({
  ...{ assetId, operation: 'RAW', source: { type: 'VAULT_ACCOUNT', id: '0' }, note: 'a stake' },
  extraParameters: { rawMessageData: { messages: [{ content }] } },
})

/** Posts, and expects 200. */
async function ok(path: string, body: object): Promise<any> {
  const { status, json, text } = await post(path, body)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
  return json
}

/** Prepares and broadcasts what was signed, and waits for its block. @returns its status */
async function land(P: string, prepare: object, broadcast?: object): Promise<string> {
  const prepared = await ok(`${P}/action/prepare`, prepare)
  const { tx_hash } = await ok(`${P}/action/broadcast`, broadcast ?? prepared)
  const look = async () => (await get(`${P}/transaction/${tx_hash}`)).json.status
  return eventually(`a block with ${tx_hash}`, look, (status) => status === 'included' || status === 'final', 200)
}

const IN_A_BLOCK = /^(included|final)$/
const EVM = '/api/v1/evm-three/native'
t.test('EVM: the hash signed by a key, in every form that libraries give r, s and v', async (t) => {
  const wallet = await freshWallet()
  const key = new SigningKey(wallet.privateKey)
  for (const [what, parts] of [
    // Of ethereumjs: without 0x, and v as EIP-155 has it.
    ['ecsign', ({ r, s, yParity }: any) => ({ r: r.slice(2), s: s.slice(2), v: 143 * 2 + 35 + yParity })],
    ['ethers', ({ r, s, v }: any) => ({ r, s, v })],
  ] as const) {
    const { serialized_tx_hex, unsigned_tx_hash_hex } = await ok(`${EVM}/action/delegate`, { address: wallet.address, amount: 1.5 })
    t.equal(
      Transaction.from(hex(getBytes(serialized_tx_hex)).replace(/^/, '0x')).value,
      15n * 10n ** 17n,
      'a library reads the transaction',
    )
    t.match(await land(EVM, { serialized_tx_hex, ...parts(key.sign(unsigned_tx_hash_hex)) }), IN_A_BLOCK)
    t.pass(what)
  }
})

t.test('EVM: the hash signed by Fireblocks, and the payload by a wallet that takes its members', async (t) => {
  const wallet = await freshWallet()
  const key = new SigningKey(wallet.privateKey)
  const vault = fireblocks((content) => {
    const { r, s, yParity } = key.sign(content)
    return { fullSig: `${r.slice(2)}${s.slice(2)}`, r: r.slice(2), s: s.slice(2), v: yParity }
  }, key.compressedPublicKey.slice(2))
  const craft = await ok(`${EVM}/action/delegate`, { address: wallet.address, amount: 1 })
  const { signedMessages } = await vault(raw('ETH', craft.unsigned_tx_hash_hex.substring(2)))
  const { r, s, v } = signedMessages[0]!.signature
  t.match(await land(EVM, { serialized_tx_hex: craft.serialized_tx_hex, r: `0x${r}`, s: `0x${s}`, v: 27 + Number(v) }), IN_A_BLOCK)
  const other = await ok(`${EVM}/action/delegate`, { address: wallet.address, amount: 1 })
  await t.rejects(vault(raw('ETH', other.unsigned_tx_hash_hex)), /not hexadecimal/, 'with 0x it is no hexadecimal there')
  const wrong = await post(`${EVM}/action/prepare`, {
    serialized_tx_hex: other.serialized_tx_hex,
    r: `0x${r}`,
    s: `0x${s}`,
    v: 28 - Number(v),
  })
  t.match(wrong, { status: 400, json: { code: /./, error: /sign unsigned_tx_hash_hex as crafted|with the other parity of v/ } })

  const { payload } = other
  const { type, ...members } = payload
  const signed_tx_hex = await new EthersWallet(wallet.privateKey).signTransaction({
    ...members,
    type: Number(type),
    nonce: Number(members.nonce),
  })
  t.equal((await post(`${EVM}/action/broadcast`, { signed_tx_hex })).status, 200)
})

const HUB = '/api/v1/hub-one/native'
t.test('Cosmos: the document signed by cosmjs, with words or a key, and the hash by Fireblocks', async (t) => {
  const [, wallet] = cosmos
  const order = { pubkey: wallet.publicKey, amount: 1 }
  const { rpcUrl } = sandbox.chains['cosmos:cosmoshub-4']!
  for (const signer of [
    await DirectSecp256k1HdWallet.fromMnemonic(wallet.mnemonic, { prefix: 'cosmos' }),
    await DirectSecp256k1Wallet.fromKey(Buffer.from(wallet.privateKey, 'hex'), 'cosmos'),
  ]) {
    const response = await call('POST', `${HUB}/action/stake`, order)
    const { unsigned_tx_hex, tx_auth_info_hex } = response.json
    const unsigned = TxRaw.decode(Buffer.from(unsigned_tx_hex, 'hex'))
    t.equal(decodeTxRaw(Buffer.from(unsigned_tx_hex, 'hex')).body.messages[0]?.typeUrl, '/cosmos.staking.v1beta1.MsgDelegate')
    const [account] = await signer.getAccounts()
    // A client of the chain knows the number too.
    const { result } = (await (await fetch(`${rpcUrl}/status`)).json()) as any
    const document = makeSignDoc(
      unsigned.bodyBytes,
      Buffer.from(tx_auth_info_hex, 'hex'),
      result.node_info.network,
      Number(response.headers.get('x-account-number')),
    )
    const { signature } = await signer.signDirect(String(account?.address), document)
    t.match(
      await land(HUB, { tx_body_hex: unsigned_tx_hex, tx_auth_info_hex, signature_hex: hex(decodeSignature(signature).signature) }),
      IN_A_BLOCK,
    )
  }
  const key = new SigningKey(`0x${wallet.privateKey}`)
  const vault = fireblocks((content) => {
    const { r, s } = key.sign(content)
    return { fullSig: `${r.slice(2)}${s.slice(2)}` }
  }, wallet.publicKey)
  const { unsigned_tx_hex, tx_auth_info_hex, unsigned_tx_hash_hex } = await ok(`${HUB}/action/stake`, order)
  const { signedMessages } = await vault(raw('ATOM', unsigned_tx_hash_hex))
  const body = hex(TxRaw.decode(Buffer.from(unsigned_tx_hex, 'hex')).bodyBytes)
  t.match(await land(HUB, { tx_body_hex: body, tx_auth_info_hex, signature_hex: signedMessages[0]!.signature.fullSig }), IN_A_BLOCK)
})

const SVM = '/api/v1/svm-one/native'
t.test('Solana: the transaction signed by web3.js, and its message by Fireblocks', async (t) => {
  const [, { address, secretKey }] = svm
  const pair = Keypair.fromSecretKey(base58.decode(secretKey))
  const { unsigned_tx_hex } = await ok(`${SVM}/action/stake`, { wallet_address: address, amount: 2 })
  const transaction = SolanaTransaction.from(Buffer.from(unsigned_tx_hex, 'hex'))
  transaction.partialSign(pair)
  t.match(await land(SVM, { unsigned_tx_hex, signatures: [Buffer.from(transaction.signature!).toString('hex')] }), IN_A_BLOCK)

  const seed = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), pair.secretKey.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  })
  const vault = fireblocks((content) => ({ fullSig: hex(ed25519(null, content, seed)) }), hex(pair.publicKey.toBytes()))
  const other = await ok(`${SVM}/action/stake`, { wallet_address: address, amount: 2 })
  const message = SolanaTransaction.from(Buffer.from(other.unsigned_tx_hex, 'hex')).serializeMessage()
  const { signedMessages } = await vault(raw('SOL', message.toString('hex')))
  const signatures = signedMessages.filter(({ derivationPath }) => derivationPath[3] === 0).map(({ signature }) => signature.fullSig)
  t.match(await land(SVM, { unsigned_tx_hex: other.unsigned_tx_hex, signatures }), IN_A_BLOCK)
})

const MOVE = '/api/v1/move-one/native'
t.test('Sui: the transaction signed by its library, sent in both forms, and by Fireblocks', async (t) => {
  const [, { address, secretKey }] = move
  const pair = Ed25519Keypair.fromSecretKey(secretKey)
  for (const isWhole of [true, false]) {
    const { unsigned_tx_b64 } = await ok(`${MOVE}/action/stake`, { wallet_address: address, amount: 1 })
    const { signature } = await pair.signTransaction(Buffer.from(unsigned_tx_b64, 'base64'))
    const signed = { unsigned_tx_b64, signatures: [signature] }
    t.match(await land(MOVE, signed, isWhole ? undefined : signed), IN_A_BLOCK)
  }
  const { unsigned_tx_b64 } = await ok(`${MOVE}/action/stake`, { wallet_address: address, amount: 1 })
  const bytes = Buffer.from(unsigned_tx_b64, 'base64')
  const signatureOver = async (content: Uint8Array, ...key: Uint8Array[]) =>
    Buffer.concat([Buffer.of(0), await pair.sign(content), ...key]).toString('base64')
  const prepare = (signature: string) => post(`${MOVE}/action/prepare`, { unsigned_tx_b64, signatures: [signature] })
  // As it is printed in places: the bytes themselves are signed, and the key is left out.
  t.match(await prepare(await signatureOver(bytes)), { status: 400, json: { error: /signatures\[0\].*97|signatures\[0\].*key/ } })
  const publicKey = pair.getPublicKey().toRawBytes()
  t.match(await prepare(await signatureOver(bytes, publicKey)), {
    status: 400,
    json: { error: /sign the BLAKE2b-256 hash of the bytes 00 00 00 and the transaction/ },
  })
})
