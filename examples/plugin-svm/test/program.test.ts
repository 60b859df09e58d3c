import { startSvmChain } from '@svc/sandbox-svm'
import { Connection, Keypair, PublicKey, Transaction, TransactionInstruction } from '@svc/solana'
import t from 'tap'
import { deploy, programAddress } from '../sandbox/index.ts'
import { refusal } from '../sandbox/program.ts'
import { depositing, redeeming, seedOf } from '../src/instructions.ts'

// The program itself, past the plugin: what it does not allow, whoever writes the bytes.

const [SOL, NOT_THE_PROGRAMS] = [1_000_000_000n, 'ExternalAccountDataModified']
const chain = await startSvmChain({ chainId: 'devnet' })
t.teardown(() => chain.close())
deploy(chain)
const connection = new Connection(chain.rpcUrl, 'confirmed')
const holder = Keypair.fromSeed(new Uint8Array(32).fill(1))
const thief = Keypair.fromSeed(new Uint8Array(32).fill(2))
for (const { publicKey } of [holder, thief]) await chain.fund(publicKey.toBase58(), 10n * SOL)

const program = new PublicKey(programAddress)
const wallet = holder.publicKey.toBase58()
const placeOf = async (index: number) => (await PublicKey.createWithSeed(holder.publicKey, seedOf(index), program)).toBase58()

/** What a transaction is refused with: the program's number, or the runtime's word; null when it has landed. */
async function send(signer: Keypair, ...instructions: readonly TransactionInstruction[]): Promise<unknown> {
  const latest = await connection.getLatestBlockhash()
  const transaction = new Transaction({ feePayer: signer.publicKey, ...latest }).add(...instructions)
  transaction.sign(signer)
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
  const { value } = await connection.getSignatureStatus(signature, { searchTransactionHistory: true })
  if (value === null) throw new Error(`${signature} is not in a block`)
  const { InstructionError: [, error] = [] } = Object(value.err)
  return value.err && (error.Custom ?? error)
}

/** An instruction with other accounts or other data. */
function changed({ programId, keys, data }: TransactionInstruction, to: Partial<Pick<TransactionInstruction, 'keys' | 'data'>>) {
  return new TransactionInstruction({ programId, keys, data, ...to })
}

t.test('a voucher is paid out once, to its holder', async (t) => {
  const voucher = await placeOf(0)
  t.equal(await send(holder, ...depositing(programAddress, wallet, voucher, 0, 2n * SOL)), null)
  t.equal(await send(thief, redeeming(programAddress, thief.publicKey.toBase58(), voucher, SOL)), refusal.notTheHolder)
  t.equal(await send(holder, redeeming(programAddress, wallet, voucher, 2n * SOL + 1n)), refusal.tooLittle)
  const before = await chain.balance(wallet)
  t.equal(await send(holder, redeeming(programAddress, wallet, voucher, 2n * SOL)), null)
  t.equal(await chain.balance(wallet), before + 2n * SOL - 5000n)
  t.equal(chain.account(voucher), undefined)
})

t.test('nobody redeems without the signature of the holder', async (t) => {
  const voucher = await placeOf(1)
  t.equal(await send(holder, ...depositing(programAddress, wallet, voucher, 1, SOL)), null)
  const own = redeeming(programAddress, wallet, voucher, SOL)
  const unsigned = changed(own, { keys: own.keys.map((key) => ({ ...key, isSigner: false })) })
  t.equal(await send(thief, unsigned), refusal.unsigned)
})

t.test('a voucher is opened once, for what it holds at most', async (t) => {
  const voucher = await placeOf(2)
  const [create, open] = depositing(programAddress, wallet, voucher, 2, SOL)
  const [, more] = depositing(programAddress, wallet, voucher, 2, SOL + 1n)
  if (!create || !open || !more) throw new Error('a deposit has at least two instructions')
  t.equal(await send(holder, create, more), refusal.tooLittle)
  t.equal(await send(holder, create, open, open), refusal.open)
  t.equal(chain.account(voucher), undefined, 'and neither has made one')
})

t.test('other accounts and other data are no instruction', async (t) => {
  const voucher = await placeOf(1)
  const own = redeeming(programAddress, wallet, voucher, SOL)
  const [first, second] = own.keys
  if (!first || !second) throw new Error('an instruction has two accounts')
  const data = (bytes: readonly number[]) => changed(own, { data: Buffer.from(bytes) })
  t.equal(await send(holder, data([1])), refusal.malformed)
  t.equal(await send(holder, data([2, 0, 0, 0, 0, 0, 0, 0, 0])), refusal.malformed)
  t.equal(await send(holder, data([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])), refusal.malformed)
  t.equal(await send(holder, changed(own, { keys: [first] })), refusal.malformed)
  t.equal(await send(holder, changed(own, { keys: [first, second, second] })), refusal.malformed)
  t.equal(await send(holder, changed(own, { keys: [second, first] })), refusal.malformed)
})

t.test('an account of another program is none of its vouchers', async (t) => {
  const { publicKey } = Keypair.fromSeed(new Uint8Array(32).fill(3))
  const foreign = publicKey.toBase58()
  chain.setAccount(foreign, { lamports: SOL, owner: thief.publicKey.toBase58(), data: new Uint8Array(40) })
  const [, open] = depositing(programAddress, wallet, foreign, 3, SOL)
  if (!open) throw new Error('a deposit has at least two instructions')
  t.equal(await send(holder, open), NOT_THE_PROGRAMS)
})
