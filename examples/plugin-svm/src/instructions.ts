import { PublicKey, SystemProgram, TransactionInstruction } from '@svc/solana'

/** Bytes of a voucher's data. */
export const SPACE = 40

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const CREATE_WITH_SEED = 3
export const OPEN = 0
export const REDEEM = 1

/** Makes the seed that tells each of a wallet's vouchers from the others. */
export const seedOf = (index: number) => `voucher:${index}`

/** An account for a voucher, with what is paid in; the opening of it; and a note which one it is. */
export function depositing(program: string, wallet: string, voucher: string, index: number, lamports: bigint): TransactionInstruction[] {
  const [holder, account, programId] = [new PublicKey(wallet), new PublicKey(voucher), new PublicKey(program)]
  // web3.js writes this one, too, but takes lamports as a number, which has no room for all of them.
  const seed = Buffer.from(seedOf(index))
  const create = new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [
      { pubkey: holder, isSigner: true, isWritable: true },
      { pubkey: account, isSigner: false, isWritable: true },
    ],
    data: Buffer.concat([
      u32(CREATE_WITH_SEED),
      holder.toBuffer(),
      u64(seed.length),
      seed,
      u64(lamports),
      u64(SPACE),
      programId.toBuffer(),
    ]),
  })
  const keys = [
    { pubkey: account, isSigner: false, isWritable: true },
    { pubkey: holder, isSigner: true, isWritable: false },
  ]
  return [
    create,
    new TransactionInstruction({ programId, keys, data: instruction(OPEN, lamports) }),
    new TransactionInstruction({ programId: MEMO, keys: [], data: seed }),
  ]
}

/** All that a voucher holds goes to its holder, if that is as much as this. */
export function redeeming(program: string, wallet: string, voucher: string, atLeast: bigint): TransactionInstruction {
  const keys = [
    { pubkey: new PublicKey(voucher), isSigner: false, isWritable: true },
    { pubkey: new PublicKey(wallet), isSigner: true, isWritable: true },
  ]
  return new TransactionInstruction({ programId: new PublicKey(program), keys, data: instruction(REDEEM, atLeast) })
}

/** A byte that says which instruction it is, and lamports. */
function instruction(tag: number, lamports: bigint): Buffer {
  return Buffer.concat([Buffer.of(tag), u64(lamports)])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint | number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
