import { itemsOf, membersOf } from '@svc/contract'
import type { Signed, Stage } from '../../life/family.ts'
import { present } from '../../present.ts'
import { rpc } from '../json-rpc/call.ts'
import { base58, keyOf } from '../shared/base58.ts'
import { isBudget, RECENT_BLOCKHASHES, SYSTEM, u32, u64 } from './parts.ts'
import type { SvmWallet } from './wallet.ts'
import {
  type AccountUse,
  compile,
  type Instruction,
  type KeyPair,
  keyPair,
  readTransaction,
  resolve,
  type Transaction,
  writeMessage,
  writeTransaction,
} from './wire.ts'

// Transactions that the scenes need besides those of the plugin, handed straight to the chain. Layouts of the System program:
// https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html (read 2026-11-22)

const RENT = present(keyOf('SysvarRent111111111111111111111111111111111') ?? undefined, 'an address')
const CREATE_ACCOUNT = 0
const TRANSFER = 2
const ADVANCE_NONCE = 4
const INITIALIZE_NONCE = 6
/** Size of a nonce account, and the place of its value. @see https://docs.rs/solana-nonce/latest/solana_nonce/versions/enum.Versions.html (read 2026-11-22) */
const NONCE = { bytes: 80, from: 40, to: 72 } as const
/** Lamports of a signature. @see https://solana.com/docs/core/fees (read 2026-11-22) */
const SIGNATURE_FEE = 5000n
/** Lamports with which a wallet pays fees and nothing else: hardly more than the rent of a wallet. */
const CRUMBS = 1_000_000n

type SvmStage = Stage<SvmWallet>
/** A wallet that acts on a chain, and a wait until what it did is in a block. */
export type Actor = Pick<SvmStage, 'rpcUrl' | 'wallet' | 'placed'>

/** Sends a signed transaction to a chain. @throws TypeError when the chain refuses it, unless it is not asked beforehand */
export async function submit(url: string, signedHex: string, skipPreflight = false): Promise<void> {
  const text = Buffer.from(signedHex, 'hex').toString('base64')
  await rpc(url, 'sendTransaction', [text, { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight }])
}

/** Tells whether a transaction is in a block. */
export async function has(url: string, txHash: string): Promise<boolean> {
  const answer = await rpc(url, 'getSignatureStatuses', [[txHash], { searchTransactionHistory: true }])
  return itemsOf(membersOf(answer).value)[0] !== null
}

/** Takes everything but the fee from the wallet, and sends its transaction nevertheless, which fails. */
export async function failing(stage: SvmStage): Promise<void> {
  const { rpcUrl, wallet, body } = stage
  const holds = BigInt(Number(membersOf(await rpc(rpcUrl, 'getBalance', [wallet.address])).value))
  const to = keyPair(`recipient of ${wallet.address}`).publicKey
  await act(stage, [
    { program: SYSTEM, accounts: [payer(stage), writes(to)], data: Buffer.concat([u32(TRANSFER), u64(holds - SIGNATURE_FEE - CRUMBS)]) },
  ])
  await submit(rpcUrl, String(body.signed_tx_hex), true)
  await stage.placed(stage)
}

/** Creates a nonce account of the wallet, waits until it is final, and signs the stage's transaction with its nonce in place of a block hash. */
export async function durable(stage: SvmStage): Promise<Signed> {
  const nonce = nonceOf(stage)
  const rent = BigInt(Number(await rpc(stage.rpcUrl, 'getMinimumBalanceForRentExemption', [NONCE.bytes])))
  const { publicKey: key } = nonce
  await act(
    stage,
    [
      {
        program: SYSTEM,
        accounts: [payer(stage), { key, signer: true, writable: true }],
        data: Buffer.concat([u32(CREATE_ACCOUNT), u64(rent), u64(BigInt(NONCE.bytes)), SYSTEM]),
      },
      {
        program: SYSTEM,
        accounts: [writes(key), reads(RECENT_BLOCKHASHES), reads(RENT)],
        data: Buffer.concat([u32(INITIALIZE_NONCE), stage.wallet.key.publicKey]),
      },
    ],
    [nonce],
  )
  await stage.operate('mine', { blocks: 33 })
  const { value } = membersOf(await rpc(stage.rpcUrl, 'getAccountInfo', [base58(key), { encoding: 'base64' }]))
  const data = Buffer.from(String(itemsOf(membersOf(value).data)[0]), 'base64')
  const original = readTransaction(String(stage.body.signed_tx_hex))
  // Its budget was for what it was without the nonce.
  const instructions = resolve(original.message).filter((each) => !isBudget(each))
  return signed(stage, original, [advancing(stage), ...instructions], data.subarray(NONCE.from, NONCE.to))
}

/** Sends another transaction of the wallet, which uses up the value of its nonce account. */
export async function advance(stage: SvmStage): Promise<void> {
  await act(stage, [advancing(stage)])
}

function advancing(stage: SvmStage): Instruction {
  const accounts = [writes(nonceOf(stage).publicKey), reads(RECENT_BLOCKHASHES), payer(stage)]
  return { program: SYSTEM, accounts, data: u32(ADVANCE_NONCE) }
}

function nonceOf({ wallet }: SvmStage): KeyPair {
  return keyPair(`nonce of ${wallet.address}`)
}

/** Executes instructions by the wallet at once. @param others keys that sign besides it */
export async function act(stage: Actor, instructions: readonly Instruction[], others: readonly KeyPair[] = []): Promise<void> {
  const { blockhash } = membersOf(membersOf(await rpc(stage.rpcUrl, 'getLatestBlockhash', [])).value)
  const nothing: Transaction = { signatures: [], message: { header: [0, 0, 0], keys: [], blockhash: Buffer.alloc(32), instructions: [] } }
  const transaction = signed(stage, nothing, instructions, present(keyOf(blockhash) ?? undefined, 'a block hash'), others)
  await submit(stage.rpcUrl, String(transaction.body.signed_tx_hex))
  await stage.placed(transaction)
}

function signed(
  { wallet }: Pick<SvmStage, 'wallet'>,
  original: Transaction,
  instructions: readonly Instruction[],
  blockhash: Buffer,
  others: readonly KeyPair[] = [],
): Signed {
  const message = { ...compile(original, instructions, wallet.key.publicKey).message, blockhash }
  const bytes = writeMessage(message)
  const signers = message.keys.slice(0, message.header[0])
  const signatures = signers.map((key) => {
    const pair = [wallet.key, ...others].find(({ publicKey }) => publicKey.equals(key))
    return present(pair, `the key of ${base58(key)}`).sign(bytes)
  })
  const [first] = signatures
  return {
    body: { signed_tx_hex: writeTransaction({ signatures, message }) },
    txHash: base58(present(first, 'a signature')),
  }
}

const payer = ({ wallet }: SvmStage): AccountUse => ({ key: wallet.key.publicKey, signer: true, writable: true })
const reads = (key: Buffer): AccountUse => ({ key, signer: false, writable: false })
const writes = (key: Buffer): AccountUse => ({ key, signer: false, writable: true })
