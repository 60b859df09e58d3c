import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1'
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1'
import { MultiSigPublicKey } from '@mysten/sui/multisig'
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions'
import { fromBase64, toBase64 } from '@mysten/sui/utils'
import t from 'tap'
import { type Bench, bench, clientOf, done, include, refusal, stakeTx, sui } from './support.ts'

const other = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(9))

async function built(b: Bench, amount = 2n * sui): Promise<Uint8Array> {
  const tx = stakeTx(amount, b.validator)
  tx.setSender(b.address)
  return tx.build({ client: b.client })
}

async function signed(b: Bench, bytes: Uint8Array): Promise<{ transaction: Uint8Array; signatures: string[] }> {
  return { transaction: bytes, signatures: [(await b.key.signTransaction(bytes)).signature] }
}

t.test('a signature must be the right one, over these bytes, by the sender, and the only one', async (t) => {
  const b = await bench(t)
  const bytes = await built(b)
  const { signatures } = await signed(b, bytes)
  const send = (list: string[], transaction = bytes) => refusal(b.client.executeTransaction({ transaction, signatures: list, include }))
  const foreign = (await other.signTransaction(bytes)).signature
  const flipped = toBase64(fromBase64(signatures[0]!).map((byte, index) => (index === 5 ? byte ^ 1 : byte)))
  const zero = toBase64(new Uint8Array(97))
  const zkLogin = toBase64(new Uint8Array([5, ...new Uint8Array(200)]))
  const raw = toBase64(await b.key.sign(bytes))
  for (const bad of [[foreign], [flipped], [zero], [zkLogin], [raw], [], [signatures[0]!, signatures[0]!], [signatures[0]!, foreign]]) {
    t.match(await send(bad), { code: 'INVALID_ARGUMENT', message: /^Invalid user signature: / })
  }
  const changed = bytes.with(12, bytes[12]! ^ 1)
  t.match(await send(signatures, changed), { code: 'INVALID_ARGUMENT', message: /^Invalid user signature: / })
  t.match(await send(signatures, new Uint8Array([...bytes, 0])), { code: 'INVALID_ARGUMENT', message: /^invalid transaction: / })
  t.match(await send(signatures, bytes.slice(0, -1)), { code: 'INVALID_ARGUMENT', message: /^invalid transaction: / })
  t.equal((await b.chain.balance(b.address)).total, 1000n * sui)
})

t.test('Secp256k1, Secp256r1 and multisignature wallets stake', async (t) => {
  const b = await bench(t)
  const seed = new Uint8Array(32).fill(7)
  const k1 = Secp256k1Keypair.fromSecretKey(seed)
  const r1 = Secp256r1Keypair.fromSecretKey(seed)
  const shared = MultiSigPublicKey.fromPublicKeys({
    threshold: 2,
    publicKeys: [b.key, k1, r1].map((key) => ({ publicKey: key.getPublicKey(), weight: 1 })),
  })
  const wallets: [string, (bytes: Uint8Array) => Promise<string>][] = [
    [k1.toSuiAddress(), async (bytes) => (await k1.signTransaction(bytes)).signature],
    [r1.toSuiAddress(), async (bytes) => (await r1.signTransaction(bytes)).signature],
    [
      shared.toSuiAddress(),
      async (bytes) =>
        shared.combinePartialSignatures(await Promise.all([b.key, k1].map(async (key) => (await key.signTransaction(bytes)).signature))),
    ],
  ]
  for (const [address, sign] of wallets) {
    await b.chain.fund(address, '5')
    const tx = stakeTx(2n * sui, b.validator)
    tx.setSender(address)
    const bytes = await tx.build({ client: b.client })
    const result = done(await b.client.executeTransaction({ transaction: bytes, signatures: [await sign(bytes)], include }))
    t.match(result.status, { success: true })
    t.match(
      await b.client.signatureVerificationService.verifySignature({
        message: { name: 'TransactionData', value: bytes },
        signature: { bcs: { value: fromBase64(await sign(bytes)) }, signature: { oneofKind: undefined } },
        address,
        jwks: [],
      }).response,
      { isValid: true },
    )
    if (address !== shared.toSuiAddress()) continue
    const others = shared.combinePartialSignatures(
      await Promise.all([k1, r1].map(async (key) => (await key.signTransaction(bytes)).signature)),
    )
    t.match(await refusal(b.client.executeTransaction({ transaction: bytes, signatures: [others], include })), {
      code: 'ABORTED',
      message: 'The transaction is already finalized but with different user signatures',
    })
  }
})

t.test('a sponsor signs too', async (t) => {
  const b = await bench(t)
  const sponsor = other.toSuiAddress()
  const id = await b.stake(3n * sui)
  await b.chain.fund(sponsor, '1')
  const tx = new Transaction()
  tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake', arguments: [tx.object.system({ mutable: true }), tx.object(id)] })
  tx.setSender(b.address)
  tx.setGasOwner(sponsor)
  const bytes = await tx.build({ client: b.client })
  const { signature } = await b.key.signTransaction(bytes)
  t.match(await refusal(b.client.executeTransaction({ transaction: bytes, signatures: [signature], include })), {
    message: /Expect 2 signer signatures but got 1/,
  })
  const both = [(await other.signTransaction(bytes)).signature, signature]
  t.match(done(await b.client.executeTransaction({ transaction: bytes, signatures: both, include })).status, { success: true })
  t.ok((await b.chain.balance(sponsor)).total < sui)
})

t.test('references must be those of now, and the object the sender’s', async (t) => {
  const b = await bench(t)
  const [first, second] = [await signed(b, await built(b)), await signed(b, await built(b, 3n * sui))]
  await b.client.executeTransaction({ ...first, include })
  t.match(await refusal(b.client.executeTransaction({ ...second, include })), {
    code: 'INVALID_ARGUMENT',
    message:
      /^Transaction is rejected as invalid by more than 1\/3 of validators by stake \(non-retriable\)\. Non-retriable errors: \[Transaction needs to be rebuilt because object 0x\w{64} version 0x2 is unavailable for consumption, current version: 0x3 with 10000 stake\]\.$/,
  })
  const id = await b.stake(2n * sui)
  const { object } = await b.client.getObject({ objectId: id })
  const withdraw = (ref: { objectId: string; version: string; digest: string }) => {
    const tx = new Transaction()
    tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake', arguments: [tx.object.system({ mutable: true }), tx.objectRef(ref)] })
    return refusal(b.run(tx))
  }
  const { version, digest } = object
  const zero = '11111111111111111111111111111112'
  t.match(await withdraw({ objectId: id, version, digest: zero }), {
    code: 'INVALID_ARGUMENT',
    message: /Invalid Object digest for object/,
  })
  t.match(await withdraw({ objectId: `0x${'cd'.repeat(32)}`, version, digest }), {
    code: 'INVALID_ARGUMENT',
    message: /Could not find the referenced object/,
  })
  const missing = new Transaction()
  missing.transferObjects([missing.object(`0x${'cd'.repeat(32)}`)], missing.pure.address(b.address))
  t.match(await refusal(b.run(missing)), { code: 'NOT_FOUND', message: /Object 0x(cd){32} not found/ })
  const owner = other.toSuiAddress()
  await b.chain.fund(owner, '10')
  const tx = new Transaction()
  tx.transferObjects([tx.object(id)], tx.pure.address(owner))
  tx.setSender(owner)
  t.match(await refusal(tx.build({ client: b.client })), {
    code: 'INVALID_ARGUMENT',
    message: new RegExp(`Object ${id} is owned by account address ${b.address}, but given owner/signer address is ${owner}`),
  })
})

t.test('an expiration is kept to', async (t) => {
  const b = await bench(t)
  const bytes = await built(b)
  const expiring = (expiration: unknown) => {
    const data = TransactionDataBuilder.fromBytes(bytes)
    data.expiration = expiration as never
    return data.build()
  }
  const chain = b.chain.chainIdentifier
  const window = { minEpoch: '1000', maxEpoch: '1001', minTimestamp: null, maxTimestamp: null, chain, nonce: 1 }
  const during = (change: object) => ({ ValidDuring: { ...window, ...change } })
  const refused: [unknown, RegExp][] = [
    [{ Epoch: 999 }, /Transaction Expired/],
    [during({ minEpoch: '998', maxEpoch: '999' }), /Transaction Expired/],
    [during({ minEpoch: '1001', maxEpoch: '1002' }), /Transaction Expired/],
    [during({ maxEpoch: '1002' }), /at most min_epoch \+ 1/],
    [during({ minEpoch: null }), /must be specified/],
    [during({ maxTimestamp: '5' }), /Timestamp expiration/],
    [during({ chain: '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD' }), /Invalid chain ID/],
  ]
  for (const [expiration, message] of refused) {
    const call = b.client.executeTransaction({ ...(await signed(b, expiring(expiration))), include })
    t.match(await refusal(call), { code: 'INVALID_ARGUMENT', message })
  }
  t.match(done(await b.client.executeTransaction({ ...(await signed(b, expiring({ Epoch: 1000 }))), include })).status, { success: true })
})

t.test('nodes that restrict proposers answer an expiration that names them', async (t) => {
  const b = await bench(t)
  await b.chain.operations.proposers!.run({ restrict: true })
  const bytes = await built(b)
  const { expiration, gasData } = Transaction.from(bytes).getData()
  t.equal(gasData.payment!.length, 1)
  t.match(expiration, { Validity: { minEpoch: '1000', maxEpoch: '1001', allowedProposers: { epoch: '1000', proposers: [0] } } })
  t.match(done(await b.client.executeTransaction({ ...(await signed(b, bytes)), include })).status, { success: true })
  await b.chain.fundAddressBalance(b.address, sui)
  const mixed = await built(b)
  t.match(Transaction.from(mixed).getData().expiration, { Validity: { minEpoch: '1000', allowedProposers: { proposers: [0] } } })
  t.match(done(await b.client.executeTransaction({ ...(await signed(b, mixed)), include })).status, { success: true })
})

t.test('bad days of a node have their codes', async (t) => {
  const b = await bench(t)
  const { status, conflict, lag } = b.chain.operations
  const bytes = await built(b)
  const send = await signed(b, bytes)
  const execute = () => b.client.executeTransaction({ ...send, include })
  for (const code of ['UNAVAILABLE', 'RESOURCE_EXHAUSTED', 'DEADLINE_EXCEEDED', 'INTERNAL', 'ABORTED']) {
    await status!.run({ code, message: 'ça va mal: 100 %', method: 'ExecuteTransaction', times: 1 })
    t.ok(await b.client.getReferenceGasPrice())
    t.match(await refusal(execute()), { code, message: 'ça va mal: 100 %' })
  }
  await status!.run({ code: 'UNAVAILABLE' })
  t.match(await refusal(b.client.getReferenceGasPrice()), { code: 'UNAVAILABLE' })
  await status!.run({ code: 'OK' })
  const coin = Transaction.from(bytes).getData().gasData.payment![0]!.objectId
  await conflict!.run({ object: coin })
  const winner = done(await b.client.executeTransaction({ ...(await signed(b, await built(b, 3n * sui))), include }))
  t.match(await refusal(execute()), {
    code: 'FAILED_PRECONDITION',
    message: new RegExp(
      `\\[Object \\(0x\\w{64}, SequenceNumber\\(2\\), o#\\w+\\) already locked by a different transaction: TransactionDigest\\(${winner.digest}\\) with`,
    ),
  })
  await b.chain.advance({ epochs: 1 })
  t.match(await refusal(execute()), { code: 'INVALID_ARGUMENT', message: /unavailable for consumption/ }, 'as of any stale object')
  await lag!.run({ reads: 2 })
  const { digest } = done(await b.client.executeTransaction({ ...(await signed(b, await built(b))), include }))
  t.match(await refusal(b.client.getTransaction({ digest })), { code: 'NOT_FOUND' })
  t.match(await refusal(b.client.getTransaction({ digest })), { code: 'NOT_FOUND' })
  t.match(await b.client.getTransaction({ digest }), { Transaction: { digest } })
})

t.test('faults of the connection meet the client as it knows them', async (t) => {
  const { chain } = await bench(t)
  const client = clientOf(chain)
  chain.fault({ kind: 'error', times: 1 })
  t.match(await refusal(client.getReferenceGasPrice()), { code: 'UNKNOWN' })
  chain.fault({ kind: 'drop', times: 1 })
  t.match(await refusal(client.getReferenceGasPrice()), { code: 'INTERNAL', message: 'fetch failed' })
  chain.fault({ kind: 'delay', ms: 600_000, times: 1 })
  t.match(await refusal(client.getReferenceGasPrice({ signal: AbortSignal.timeout(50) })), { code: 'DEADLINE_EXCEEDED' })
  // One that was given up before it had arrived has met no fault.
  chain.fault({ kind: 'none' })
  t.match(await client.getReferenceGasPrice(), { referenceGasPrice: '500' })
})
