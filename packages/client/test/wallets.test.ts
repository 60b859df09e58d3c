import { verify } from 'node:crypto'
import { UnsafeBurnerWalletAdapter } from '@solana/wallet-adapter-unsafe-burner'
import { SolanaWalletAdapterWallet } from '@solana/wallet-standard-wallet-adapter-base'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import type { SignedBytes, ToSign } from '@svc/client'
import { eip1193Signer, solanaKeypair, suiWallet, viemSigner, walletStandard } from '@svc/client/signers'
import { evm as evmReader } from '@svc/verify/evm'
import type { Signing } from '@svc/verify/intent'
import { svm as svmReader } from '@svc/verify/svm'
import { Transaction as Signed, SigningKey } from 'ethers'
import t, { type Test } from 'tap'
import { privateKeyToAccount } from 'viem/accounts'
import { evm } from './support/answers.ts'

/** Of the address of the recorded craft. */
const KEY = `0x${'11'.repeat(32)}` as const
const TERMS = { chainId: '', caip2: '', decimals: 0, symbol: '', max_fee: '0' }

/** What the client hands to a signer, and does with what it gets. */
function requestOf(signing: Signing | undefined, answer: unknown, input: object, t: Test) {
  if (!signing) throw new RangeError('the family signs')
  const request: ToSign = { ...signing.request(answer, { ...input }, TERMS, {}), answer, chainId: '143', stated: {} }
  t.ok(request.payload.length > 0)
  return { request, prepare: (signature: Parameters<Signing['prepare']>[2]) => signing.prepare(answer, request, signature) }
}

t.test('an account of viem signs what was crafted, the same as any key does', async (t) => {
  const account = privateKeyToAccount(KEY)
  const { request, prepare } = requestOf(evmReader.signing, evm.craft, JSON.parse(evm.request), t)
  const { expected } = await prepare(new SigningKey(KEY).sign(request.payload).serialized)
  t.same(await viemSigner(account).sign(request), { signedTx: expected.signed_tx_hex })
  const read = Signed.from(String(expected.signed_tx_hex))
  t.match(read, { from: account.address, nonce: 0, chainId: 143n, to: evm.craft.payload.to, value: 100n * 10n ** 18n })
})

t.test('a provider is asked to sign, and not to send, whether it is a wallet or a node', async (t) => {
  const { request } = requestOf(evmReader.signing, evm.craft, JSON.parse(evm.request), t)
  const { type: _, gasLimit: gas, ...rest } = evm.craft.payload
  for (const answer of ['0xabcd', { raw: '0xabcd', tx: {} }]) {
    const calls: unknown[] = []
    const provider = {
      async request(call: unknown) {
        calls.push(call)
        return answer
      },
    }
    t.same(await eip1193Signer(provider, '0x19E7').sign(request), { signedTx: '0xabcd' })
    t.same(calls, [{ method: 'eth_signTransaction', params: [{ from: '0x19E7', gas, ...rest }] }])
  }
})

t.test('a wallet of the Wallet Standard signs what was crafted, and gives it back whole', async (t) => {
  // It warns that it is for tests.
  const { warn } = console
  console.warn = () => undefined
  const burner = new UnsafeBurnerWalletAdapter()
  console.warn = warn
  await burner.connect()
  const wallet = new SolanaWalletAdapterWallet(burner as never, 'solana:mainnet', 'http://127.0.0.1:1')
  const [account] = wallet.accounts
  if (!account) throw new RangeError('a connected wallet has an account')
  t.equal(wallet.version, '1.0.0')
  // Its two types of accounts differ in whether a label that is not there may be undefined.
  const signer = walletStandard(wallet, account as never)
  const { request } = requestOf(svmReader.signing, craft(account.address), { wallet_address: account.address }, t)
  const given = (await signer.sign(request)) as SignedBytes
  const { signatures } = Transaction.from(Buffer.from(given.signedTx, 'hex'))
  const [first] = signatures
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(account.publicKey).toString('base64url') }
  t.equal(first?.publicKey.toBase58(), account.address)
  t.ok(verify(null, request.payload, { key: jwk, format: 'jwk' }, first?.signature ?? Buffer.alloc(0)))

  t.throws(() => walletStandard({ features: {} }, account), { name: 'SetupError', message: /no feature solana:signTransaction/ })
  const silent = { features: { 'solana:signTransaction': { signTransaction: async () => [] } } }
  t.same(await walletStandard(silent, account).sign(request), { signedTx: '' })
})

t.test('a wallet of Sui builds the transaction anew, and gives it back whole', async (t) => {
  const wallet = {
    features: {
      'sui:signTransaction': {
        signTransaction: async ({
          transaction,
          account,
          chain,
        }: {
          transaction: { toJSON(): Promise<string> }
          account: string
          chain: string
        }) => ({
          bytes: Buffer.from(await transaction.toJSON()).toString('base64'),
          signature: `${account} ${chain}`,
        }),
      },
    },
  }
  const answer = { unsigned_tx_b64: 'AAEC' }
  const request: ToSign = { algorithm: 'ed25519', signer: 'it', payload: Uint8Array.of(1), answer, chainId: 'mainnet', stated: {} }
  const from = (bytes: Uint8Array) => ({ toJSON: async () => `built of ${bytes.join()}` })
  const given = (await suiWallet(wallet, 'it', from).sign(request)) as SignedBytes
  t.same(JSON.parse(Buffer.from(given.signedTx, 'base64').toString()), {
    bytes: Buffer.from('built of 0,1,2').toString('base64'),
    signatures: ['it sui:mainnet'],
  })
  t.throws(() => suiWallet({ features: {} }, 'it', from), { name: 'SetupError', message: /no feature sui:signTransaction/ })
})

t.test('a key pair of web3.js does the same', async (t) => {
  const pair = Keypair.generate()
  const { request, prepare } = requestOf(
    svmReader.signing,
    craft(pair.publicKey.toBase58()),
    { wallet_address: pair.publicKey.toBase58() },
    t,
  )
  await t.resolves(prepare((await solanaKeypair(pair).sign(request)) as Uint8Array))
  await t.rejects(prepare((await solanaKeypair(Keypair.generate()).sign(request)) as Uint8Array), /one by another key/)
})

/** An unsigned transaction as the service answers one. */
function craft(address: string, lamports = 1): { readonly unsigned_tx_hex: string } {
  const payer = new PublicKey(address)
  const to = new PublicKey('11111111111111111111111111111112')
  const transaction = new Transaction({ feePayer: payer, recentBlockhash: '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn' })
  transaction.add(SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports }))
  return { unsigned_tx_hex: transaction.serialize({ requireAllSignatures: false }).toString('hex') }
}
