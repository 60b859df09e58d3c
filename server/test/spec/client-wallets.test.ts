import { createHash } from 'node:crypto'
import { Secp256k1Wallet } from '@cosmjs/amino'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Transaction as SuiTransaction } from '@mysten/sui/transactions'
import { base58 } from '@scure/base'
import { ComputeBudgetProgram, Keypair, Transaction as SolanaTransaction, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { createClient, type Signer, type TrustDocument } from '@svc/client'
import { cosmjsSigner, suiWallet, walletStandard } from '@svc/client/signers'
import { evmThree } from '@svc/intent-evm-three'
import { hubOne } from '@svc/intent-hub'
import { moveNative } from '@svc/intent-move-native'
import { svmNative } from '@svc/intent-svm-native'
import { eventually } from '@svc/testing/eventually'
import { Wallet as EthersWallet, SigningKey } from 'ethers'
import t from 'tap'
import { sandbox } from '../support/service.ts'
import { trust } from '../support/trust.ts'

// Wallets write what they sign anew, with a fee, a type and additions of their own. What they give back is held against the order before it is sent.

const pinned: TrustDocument = await trust()
const svc = createClient({
  trust: pinned,
  apiKey: sandbox.apiKey,
  protocols: { monad: evmThree, hub: hubOne, sui: moveNative, solana: svmNative },
})
const refused = { name: 'MismatchError', message: /^What was signed is not what was asked for, so it is not sent: / }

t.test('a wallet of an EVM chain that writes type 2 with a price of its own', async (t) => {
  const [, , , , { privateKey, address }] = sandbox.wallets.evm as { privateKey: string; address: string }[] as any
  const wallet = new EthersWallet(privateKey)
  const signing = (change: object): Signer => ({
    async sign({ answer }) {
      const { payload } = answer as { payload: Record<string, string> }
      const { type: _, gasPrice = '0', nonce, ...rest } = payload
      const prices = { maxFeePerGas: BigInt(gasPrice) + 5n, maxPriorityFeePerGas: 1n }
      return { signedTx: await wallet.signTransaction({ type: 2, nonce: Number(nonce), ...prices, ...rest, ...change }) }
    },
  })
  const tx = await svc.monad.delegate({ address, amount: '100' })
  for (const [what, change] of [
    ['another amount', { value: 1n }],
    ['another contract', { to: address }],
    ['a suffix', { data: `${(tx.answer as any).payload.data}00` }],
    ['another chain', { chainId: 1 }],
    ['less gas', { gasLimit: 30_000 }],
    ['another nonce', { nonce: 77 }],
    ['a list', { accessList: [{ address, storageKeys: [] }] }],
  ] as const)
    await t.rejects(tx.sign(signing(change)), refused, what)
  await t.rejects(tx.sign(signing({}), { chose: [] } as never), { name: 'SetupError' })
  await t.resolves(tx.sign(signing({ nonce: 77 }), { chosen: ['nonce'] }), 'who is told that a wallet chooses the nonce takes it')
  const signed = await tx.sign(signing({}))
  t.match(signed.changed, [{ path: 'terms.gasPrice' }])
  t.equal((await svc.monad.send(signed)).txHash, signed.txHash)
  await landed(svc.monad, signed.txHash)
})

t.test('a wallet of Cosmos that sets the fee by itself', async (t) => {
  const [, , { privateKey }] = sandbox.wallets.cosmos as any
  const key = new SigningKey(`0x${String(privateKey).replace(/^0x/, '')}`)
  const pubkey = key.compressedPublicKey.slice(2)
  const signing = (change: (authInfo: string) => string, body = (text: string) => text) =>
    cosmjsSigner(
      {
        async signDirect(_address, { bodyBytes, authInfoBytes, chainId, accountNumber }) {
          const signed = {
            bodyBytes: Buffer.from(body(Buffer.from(bodyBytes).toString('hex')), 'hex'),
            authInfoBytes: Buffer.from(change(Buffer.from(authInfoBytes).toString('hex')), 'hex'),
          }
          const document = [
            ...field(1, signed.bodyBytes),
            ...field(2, signed.authInfoBytes),
            ...field(3, Buffer.from(chainId)),
            ...(accountNumber === 0n ? [] : [0x20, ...varint(Number(accountNumber))]),
          ]
          const { r, s } = key.sign(createHash('sha256').update(Uint8Array.from(document)).digest())
          return { signed, signature: { signature: Buffer.from(`${r.slice(2)}${s.slice(2)}`, 'hex').toString('base64') } }
        },
      },
      'the address of the account',
    )
  const tx = await svc.hub.stake({ pubkey, amount: '2' })
  const fee = String(tx.decoded.terms.fee)
  const paying = (amount: string) => (text: string) => text.replace(Buffer.from(fee).toString('hex'), Buffer.from(amount).toString('hex'))
  const higher = String(BigInt(fee) + 1n)
  t.equal(higher.length, fee.length)
  await t.rejects(tx.sign(signing(paying(`0${fee.slice(1)}`))), refused, 'a fee written in another form')
  const twice = (text: string) => text.replace(Buffer.from('2000000').toString('hex'), Buffer.from('3000000').toString('hex'))
  await t.rejects(tx.sign(signing((text) => text, twice)), refused, 'another amount')
  const unchanged = await tx.sign(signing((text) => text))
  t.same(unchanged.changed, [])
  const signed = await tx.sign(signing(paying(higher)))
  t.match(signed.changed, [{ path: 'terms.fee', expected: fee, found: higher }])
  t.equal((await svc.hub.send(signed)).txHash, signed.txHash)
  await landed(svc.hub, signed.txHash)
})

t.test('a Ledger, which signs amino JSON alone, and a wallet that sets the fee of its document', async (t) => {
  const [, , { privateKey }] = sandbox.wallets.cosmos as any
  const secret = Buffer.from(String(privateKey).replace(/^0x/, ''), 'hex')
  const pubkey = new SigningKey(secret).compressedPublicKey.slice(2)
  const device = await Secp256k1Wallet.fromKey(secret, 'cosmos')
  const [{ address = '' } = {}] = await device.getAccounts()
  const signing = (change: (document: Parameters<typeof device.signAmino>[1]) => object) =>
    cosmjsSigner({ signAmino: (signer, document) => device.signAmino(signer, { ...document, ...change(document) }) }, address)
  const tx = await svc.hub.stake({ pubkey, amount: '2' })
  const message = (document: Parameters<typeof device.signAmino>[1], change: object) => ({
    msgs: document.msgs.map((each) => ({ ...each, value: { ...each.value, ...change } })),
  })
  for (const [what, change] of [
    ['another amount', (document) => message(document, { amount: { denom: 'uatom', amount: '3000000' } })],
    ['another validator', (document) => message(document, { validator_address: address })],
    ['a second message', ({ msgs }) => ({ msgs: [...msgs, ...msgs] })],
    ['a memo', () => ({ memo: 'from the wallet' })],
    ['a timeout', () => ({ timeout_height: '99999999' })],
    ['another chain', () => ({ chain_id: 'cosmoshub-3' })],
    ['another sequence', () => ({ sequence: '99' })],
    ['less gas', ({ fee }) => ({ fee: { ...fee, gas: '1000' } })],
    ['two coins', ({ fee }) => ({ fee: { ...fee, amount: [...fee.amount, ...fee.amount] } })],
    ['a fee by another', ({ fee }) => ({ fee: { ...fee, granter: address } })],
  ] as [string, Parameters<typeof signing>[0]][])
    await t.rejects(tx.sign(signing(change)), refused, what)
  t.match((await tx.sign(signing(() => ({})))).changed, [{ path: 'terms.signMode', found: 'SIGN_MODE_LEGACY_AMINO_JSON' }])
  const fee = tx.decoded.terms.fee as bigint
  const signed = await tx.sign(
    signing((document) => ({ fee: { ...document.fee, amount: [{ denom: 'uatom', amount: String(fee + 1n) }] } })),
  )
  t.match(signed.changed, [{ path: 'terms.fee', found: String(fee + 1n) }, { path: 'terms.signMode' }])
  t.equal((await svc.hub.send(signed)).txHash, signed.txHash)
  await landed(svc.hub, signed.txHash)
})

t.test('a wallet of Sui that builds the transaction anew', async (t) => {
  const [, , { address, secretKey }] = sandbox.wallets.move as any
  const pair = Ed25519Keypair.fromSecretKey(secretKey)
  const wallet = (change: (transaction: SuiTransaction) => void) => ({
    features: {
      'sui:signTransaction': {
        async signTransaction({ transaction }: { transaction: { toJSON(): Promise<string> } }) {
          const built = SuiTransaction.from(await transaction.toJSON())
          change(built)
          const bytes = await built.build()
          return { bytes: Buffer.from(bytes).toString('base64'), signature: (await pair.signTransaction(bytes)).signature }
        },
      },
    },
  })
  const signer = (change: (transaction: SuiTransaction) => void = () => undefined) =>
    suiWallet(wallet(change), address, (bytes) => SuiTransaction.from(bytes))
  const tx = await svc.sui.stake({ wallet_address: address, amount: '2' })
  await t.rejects(tx.sign(signer((built) => built.transferObjects([built.gas], address))), refused, 'a command more')
  await t.rejects(tx.sign(signer((built) => built.setGasBudget(1_000))), refused, 'a budget that cannot do')
  await t.rejects(tx.sign(signer((built) => built.setExpiration({ None: true }))), refused, 'valid for ever')
  t.same((await tx.sign(signer())).changed, [])
  const signed = await tx.sign(signer((built) => built.setGasPrice(BigInt(built.getData().gasData.price ?? 0) + 1n)))
  t.match(signed.changed, [{ path: 'terms.gasPrice' }])
  t.equal((await svc.sui.send(signed)).txHash, signed.txHash)
  await landed(svc.sui, signed.txHash)
})

t.test('a wallet of Solana that sets the price, and one that adds assertions', async (t) => {
  const [, , { address, secretKey }] = sandbox.wallets.svm as any
  const pair = Keypair.fromSecretKey(base58.decode(secretKey))
  const wallet = (change: (transaction: SolanaTransaction) => void) =>
    walletStandard(
      {
        features: {
          'solana:signTransaction': {
            async signTransaction({ transaction }: { transaction: Uint8Array }) {
              const read = SolanaTransaction.from(transaction)
              change(read)
              read.partialSign(pair)
              return [{ signedTransaction: new Uint8Array(read.serialize({ requireAllSignatures: false, verifySignatures: false })) }]
            },
          },
        },
      },
      address,
    )
  const price = (transaction: SolanaTransaction) => {
    transaction.instructions = transaction.instructions.filter(
      ({ programId, data }) => !(programId.equals(ComputeBudgetProgram.programId) && data[0] === 3),
    )
    transaction.instructions.splice(1, 0, ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 7_000 }))
  }
  const stake = await svc.solana.stake({ wallet_address: address, amount: '2' })
  await t.rejects(stake.sign(wallet(price)), refused, 'the account that is made has signed already')
  // Derived by a seed, the account needs no signature of its own.
  const tx = await svc.solana.stake({ wallet_address: address, amount: '2', sign: false })
  const transfer = SystemProgram.transfer({ fromPubkey: pair.publicKey, toPubkey: Keypair.generate().publicKey, lamports: 1 })
  await t.rejects(tx.sign(wallet((transaction) => transaction.add(transfer))), refused, 'a tip')
  const assertion = new TransactionInstruction({
    programId: Keypair.generate().publicKey,
    keys: [{ pubkey: pair.publicKey, isSigner: false, isWritable: false }],
    data: Buffer.from('06040203000001000000000000000000', 'hex'),
  })
  await t.rejects(tx.sign(wallet((transaction) => transaction.add(assertion))), refused, 'a call of a program that nobody knows')
  const signed = await tx.sign(wallet(price))
  t.match(signed.changed, [{ path: 'terms.unitPrice', found: '7000' }])
  t.equal((await svc.solana.send(signed)).txHash, signed.txHash)
  await landed(svc.solana, signed.txHash)
})

async function landed(protocol: Pick<(typeof svc)['monad'], 'status'>, txHash: string): Promise<void> {
  const look = async () => (await protocol.status(txHash)).status
  await eventually('the transaction is in a block', look, (status) => status === 'included' || status === 'final', 200)
}

function field(number: number, content: Uint8Array): readonly number[] {
  return [(number << 3) | 2, ...varint(content.length), ...content]
}

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}
