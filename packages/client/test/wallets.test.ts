import { verify } from 'node:crypto'
import { UnsafeBurnerWalletAdapter } from '@solana/wallet-adapter-unsafe-burner'
import { SolanaWalletAdapterWallet } from '@solana/wallet-standard-wallet-adapter-base'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import type { ToSign } from '@svc/client'
import { solanaKeypair, viemSigner, walletStandard } from '@svc/client/signers'
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
  const signed = await prepare(await viemSigner(account).sign(request))
  const byHash = await prepare(new SigningKey(KEY).sign(request.payload).serialized)
  t.same(signed, byHash)
  const read = Signed.from(String(signed.expected.signed_tx_hex))
  t.match(read, { from: account.address, nonce: 0, chainId: 143n, to: evm.craft.payload.to, value: 100n * 10n ** 18n })
  const other = await viemSigner(privateKeyToAccount(`0x${'22'.repeat(32)}`)).sign(request)
  await t.rejects(prepare(other), /one by the key of 0x/)
})

t.test('what viem is not handed as it was crafted, it does not sign for it', async (t) => {
  const payload = { ...evm.craft.payload, value: '0x1' }
  const { request } = requestOf(evmReader.signing, evm.craft, JSON.parse(evm.request), t)
  await t.rejects(
    viemSigner(privateKeyToAccount(KEY)).sign({ ...request, answer: { ...evm.craft, payload } }),
    /the transaction that was crafted/,
  )
})

t.test('a wallet of the Wallet Standard signs what was crafted, and nothing else is taken from it', async (t) => {
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
  const answer = craft(account.address)
  const { request, prepare } = requestOf(svmReader.signing, answer, { wallet_address: account.address }, t)
  const signed = await prepare(await signer.sign(request))
  const { signatures } = Transaction.from(Buffer.from(String(signed.expected.signed_tx_hex), 'hex'))
  const [first] = signatures
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(account.publicKey).toString('base64url') }
  t.equal(first?.publicKey.toBase58(), account.address)
  t.ok(verify(null, request.payload, { key: jwk, format: 'jwk' }, first?.signature ?? Buffer.alloc(0)))

  t.throws(() => walletStandard({ features: {} }, account), { name: 'SetupError', message: /no feature solana:signTransaction/ })

  // A wallet that adds a fee of its own, as some do, has signed another transaction.
  const changed = { ...request, answer: craft(account.address, 2) }
  await t.rejects(prepare(await signer.sign(changed)), /over something else/)
  const adding = {
    features: {
      'solana:signTransaction': {
        signTransaction: async () => [{ signedTransaction: Buffer.from(craft(account.address, 2).unsigned_tx_hex, 'hex') }],
      },
    },
  }
  await t.rejects(walletStandard(adding, account).sign(request), /the transaction that was crafted/)
})

t.test('a key pair of web3.js does the same', async (t) => {
  const pair = Keypair.generate()
  const { request, prepare } = requestOf(
    svmReader.signing,
    craft(pair.publicKey.toBase58()),
    { wallet_address: pair.publicKey.toBase58() },
    t,
  )
  await t.resolves(prepare(await solanaKeypair(pair).sign(request)))
  await t.rejects(prepare(await solanaKeypair(Keypair.generate()).sign(request)), /one by another key/)
})

/** An unsigned transaction as the service answers one. */
function craft(address: string, lamports = 1): { readonly unsigned_tx_hex: string } {
  const payer = new PublicKey(address)
  const to = new PublicKey('11111111111111111111111111111112')
  const transaction = new Transaction({ feePayer: payer, recentBlockhash: '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn' })
  transaction.add(SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports }))
  return { unsigned_tx_hex: transaction.serialize({ requireAllSignatures: false }).toString('hex') }
}
