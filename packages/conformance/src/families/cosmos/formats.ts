import type { CosmosCraft } from '@svc/verify/cosmos'
import type { Forgery } from '../../family.ts'
import { present } from '../../present.ts'
import { bytesAt, edit, writeFields, writeVarint } from '../shared/protobuf.ts'
import { bytesOf, type Parts, putTogether, rawOf } from './wire.ts'

// Numbers of fields on the way in: TxBody.messages and Any.value; AuthInfo.fee.
const MESSAGE = [1]
const INSIDE = [1, 2]
const FEE = [2]

/** Makes other encodings of the same content, with the right hash: a lenient reader would accept them. */
export function formats(craft: CosmosCraft, parts: Parts): Forgery<CosmosCraft>[] {
  const forged = (name: string, changed: Partial<Parts>, raw?: Uint8Array): Forgery<CosmosCraft> => {
    const whole = { ...parts, ...changed }
    return { name: `format: ${name}`, unsigned: putTogether(whole, raw ?? rawOf(whole)), at: 'bytes' }
  }
  const { body, authInfo } = parts
  const good = bytesOf(craft.unsigned_tx_hex)
  // A length of one byte more than it needs: 0x85 0x00 is 5, too.
  const first = body.subarray(0, 1)
  const message = bytesAt(body, MESSAGE)
  const long = Buffer.from(writeVarint(BigInt(message.length)))
  const padded = Buffer.concat([long.subarray(0, -1), Buffer.from([present(long.at(-1), 'a byte of the length') | 0x80, 0])])
  return [
    forged('a byte behind the transaction', {}, Buffer.concat([good, Buffer.from([0])])),
    forged('the last byte cut', {}, good.subarray(0, -1)),
    forged('an empty signature', {}, Buffer.concat([good, Buffer.from([0x1a, 0])])),
    forged('a signature', {}, Buffer.concat([good, Buffer.from([0x1a, 64]), new Uint8Array(64).fill(7)])),
    forged(
      'the two halves turned round',
      {},
      writeFields([
        { number: 2, value: authInfo },
        { number: 1, value: body },
      ]),
    ),
    forged(
      'the body twice',
      {},
      writeFields([
        { number: 1, value: body },
        { number: 1, value: body },
        { number: 2, value: authInfo },
      ]),
    ),
    forged('no auth info', {}, writeFields([{ number: 1, value: body }])),
    forged('a length with a byte too many', { body: Buffer.concat([first, padded, body.subarray(1 + long.length)]) }),
    forged('an unknown field of the body', { body: edit(body, [], (all) => [...all, { number: 31, value: 1n }]) }),
    forged('an unknown field of the message', { body: edit(body, INSIDE, (all) => [...all, { number: 9, value: 1n }]) }),
    forged('an unknown field of the auth info', { authInfo: edit(authInfo, [], (all) => [...all, { number: 9, value: 1n }]) }),
    forged('an unknown field of the fee', { authInfo: edit(authInfo, FEE, (all) => [...all, { number: 9, value: 1n }]) }),
    forged('an empty memo that is written', { body: edit(body, [], (all) => [...all, { number: 2, value: new Uint8Array() }]) }),
    forged('the fields of the message turned round', { body: edit(body, INSIDE, (all) => [...all].reverse()) }),
    forged('the delegator twice', { body: edit(body, INSIDE, (all) => [...all.slice(0, 1), ...all]) }),
  ]
}
