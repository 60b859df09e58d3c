import { createHash } from 'node:crypto'
import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@svc/solana'
import fc from 'fast-check'
import t from 'tap'
import { newEphemeralKey, type SvmDraft } from '../src/index.ts'
import { bytesOf, messageOf } from '../src/message.ts'

const key = (number: number) => new PublicKey(createHash('sha256').update(`key ${number}`).digest())

/** Instructions over few keys, so that the same one is met in several roles. */
const instruction = fc
  .record({
    program: fc.integer({ min: 0, max: 5 }),
    keys: fc.array(fc.record({ at: fc.integer({ min: 0, max: 30 }), isSigner: fc.boolean(), isWritable: fc.boolean() }), { maxLength: 40 }),
    data: fc.uint8Array({ maxLength: 300 }),
  })
  .map(({ program, keys, data }) => ({
    programId: key(program),
    keys: keys.map(({ at, ...roles }) => ({ pubkey: key(at), ...roles })),
    data: Buffer.from(data),
  }))

t.test('a message is byte for byte that of the library', async (t) => {
  fc.assert(
    fc.property(
      fc.array(instruction, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 30 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 1_400_000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (instructions, payer, durable, unitLimit, unitPrice) => {
        const feePayer = key(payer)
        const blockhash = key(1000).toBase58()
        const nonce = durable ? { account: key(1001).toBase58(), value: blockhash } : null
        const draft: SvmDraft = {
          feePayer: feePayer.toBase58(),
          instructions: instructions.map((each) => new TransactionInstruction(each)),
          unitLimit,
          spends: 0n,
        }
        const library = new Transaction()
        library.feePayer = feePayer
        library.recentBlockhash = blockhash
        if (nonce) library.add(SystemProgram.nonceAdvance({ noncePubkey: key(1001), authorizedPubkey: feePayer }))
        library.add(
          ComputeBudgetProgram.setComputeUnitLimit({ units: unitLimit }),
          ComputeBudgetProgram.setComputeUnitPrice({ microLamports: unitPrice }),
          ...draft.instructions,
        )
        const made = messageOf(draft, { blockhash, nonce, unitLimit, unitPrice })
        const compiled = library.compileMessage()
        return (
          made.bytes.equals(compiled.serialize()) &&
          made.signers.join() ===
            compiled.accountKeys
              .slice(0, compiled.header.numRequiredSignatures)
              .map((each) => each.toBase58())
              .join()
        )
      },
    ),
    { numRuns: 300 },
  )
  t.pass('held')
})

t.test('signatures stand in the order of the signers, with zeros for those that are missing', async (t) => {
  const instructions = [
    new TransactionInstruction({ programId: key(9), keys: [{ pubkey: key(2), isSigner: true, isWritable: true }], data: Buffer.of(1) }),
  ]
  const draft = { feePayer: key(1).toBase58(), instructions, unitLimit: 1, spends: 0n }
  const message = messageOf(draft, { blockhash: key(3).toBase58(), nonce: null, unitLimit: 1, unitPrice: 0 })
  t.same(message.signers, [key(1).toBase58(), key(2).toBase58()])
  const bytes = bytesOf(message, { [key(2).toBase58()]: Buffer.alloc(64, 7) })
  t.equal(bytes.toString('hex'), `02${'00'.repeat(64)}${'07'.repeat(64)}${message.bytes.toString('hex')}`)
})

t.test('an ephemeral key is one that the library takes, and never the same', async (t) => {
  const made = Array.from({ length: 20 }, () => newEphemeralKey())
  for (const { secretKey, publicKey } of made)
    t.equal(Keypair.fromSecretKey(secretKey).publicKey.toBase58(), publicKey.toBase58(), 'its halves belong together')
  t.equal(new Set(made.map(({ publicKey }) => publicKey.toBase58())).size, 20)
})
