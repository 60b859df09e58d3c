import type { SvmCraft } from '@svc/verify/svm'
import type { Forgery } from '../../family.ts'
import { present } from '../../present.ts'
import { forged, plusOne, swapped, THIEF } from './parts.ts'
import { EMPTY, type Message, readTransaction } from './wire.ts'

/** Makes each change of a single field of the bytes in place: lists keep their lengths, so that no count changes. */
export function fieldForgeries({ unsigned_tx_hex }: SvmCraft): readonly Forgery<SvmCraft>[] {
  const original = readTransaction(unsigned_tx_hex)
  const { message } = original
  const changed = (name: string, to: Partial<Message>) => forged(name, { ...original, message: { ...message, ...to } })
  const instruction = (name: string, index: number, to: Partial<Message['instructions'][number]>) =>
    changed(name, {
      instructions: message.instructions.with(index, { ...present(message.instructions[index], `an instruction ${index}`), ...to }),
    })
  const next = (index: number) => (index + 1) % message.keys.length

  return [
    ...['signers', 'read-only signers', 'other read-only accounts'].flatMap((name, at) =>
      [1, -1].map((by) => {
        const moved = (count: number, index: number) => (index === at ? (count + by) & 0xff : count)
        const [signers, readonlySigners, readonlyOthers] = message.header
        const header = [moved(signers, 0), moved(readonlySigners, 1), moved(readonlyOthers, 2)] as const
        return changed(`header: ${name} ${by > 0 ? '+ 1' : '- 1'}`, { header })
      }),
    ),
    ...message.keys.flatMap((key, i) => [
      changed(`key ${i}: its first byte`, { keys: message.keys.with(i, plusOne(key, 0)) }),
      changed(`key ${i}: its last byte`, { keys: message.keys.with(i, plusOne(key, 31)) }),
      changed(`key ${i} is somebody else's`, { keys: message.keys.with(i, THIEF) }),
      ...(i > 0 ? [changed(`keys ${i - 1} and ${i} swapped`, { keys: swapped(message.keys, i - 1) })] : []),
    ]),
    ...Array.from({ length: 32 }, (_, at) => changed(`block hash: byte ${at}`, { blockhash: plusOne(message.blockhash, at) })),
    ...message.instructions.flatMap(({ program, accounts, data }, i) => [
      instruction(`instruction ${i}: the next program`, i, { program: next(program) }),
      instruction(`instruction ${i}: a program that is not there`, i, { program: message.keys.length }),
      ...accounts.flatMap((account, j) => [
        instruction(`instruction ${i}, account ${j}: the next one`, i, { accounts: accounts.with(j, next(account)) }),
        instruction(`instruction ${i}, account ${j}: one that is not there`, i, { accounts: accounts.with(j, message.keys.length) }),
      ]),
      ...Array.from(data, (_, at) => instruction(`instruction ${i}, byte ${at} + 1`, i, { data: plusOne(data, at) })),
      instruction(`instruction ${i}: a byte more`, i, { data: Buffer.concat([data, Buffer.from([0])]) }),
      ...(data.length > 0 ? [instruction(`instruction ${i}: a byte less`, i, { data: data.subarray(0, -1) })] : []),
    ]),
    ...original.signatures.flatMap((signature, i) =>
      signature.equals(EMPTY)
        ? [forged(`signature ${i} is there`, { ...original, signatures: original.signatures.with(i, Buffer.alloc(64, 7)) })]
        : [],
    ),
  ]
}
