import type { CosmosCraft } from '@svc/verify/cosmos'
import type { Addition, HiddenCall, HiddenKind } from '../../family.ts'
import { present } from '../../present.ts'
import { bytesAt, edit, type Field, readFields, textBytes, writeFields } from '../shared/protobuf.ts'
import { oneOf, randomBytes } from '../shared/random.ts'
import type { ChainFacts } from './forgeries.ts'
import { addressOf, bech32, bytesOf, hexOf, putTogether, rawOf, takeApart } from './wire.ts'

// Types and fields: https://github.com/cosmos/cosmos-sdk/tree/main/proto (bank, distribution, staking, authz, feegrant; read 2026-11-28).
const SEND = '/cosmos.bank.v1beta1.MsgSend'
const WITHDRAW_ADDRESS = '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress'
const GRANT = '/cosmos.authz.v1beta1.MsgGrant'
const ALLOWANCE = '/cosmos.feegrant.v1beta1.MsgGrantAllowance'
const DELEGATE = '/cosmos.staking.v1beta1.MsgDelegate'
const UNDELEGATE = '/cosmos.staking.v1beta1.MsgUndelegate'
const REDELEGATE = '/cosmos.staking.v1beta1.MsgBeginRedelegate'
const CLAIM = '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward'

const record = (values: readonly (string | Uint8Array)[]) =>
  writeFields(values.map((value, at) => ({ number: at + 1, value: typeof value === 'string' ? textBytes(value) : value })))

/** Makes transactions with one more message, before or after the honest one. */
export function hiddenMessages(craft: CosmosCraft, chain: ChainFacts, random: () => number): readonly HiddenCall<CosmosCraft>[] {
  const parts = takeApart(craft, chain)
  const { prefix, denom } = chain
  const signer = addressOf(chain, hexOf(bytesAt(parts.authInfo, [1, 1, 2, 1])))
  const thief = bech32(prefix, randomBytes(random, 20))
  const validator = bech32(`${prefix}valoper`, randomBytes(random, 20))
  const target = bech32(`${prefix}valoper`, randomBytes(random, 20))
  const coin = record([denom, String(1 + Math.floor(random() * 1e9))])
  const added = (kind: HiddenKind, type: string, value: Uint8Array, says = type, orSays = type): HiddenCall<CosmosCraft> => {
    const isFirst = random() < 0.5
    const message: Field = { number: 1, value: record([type, value]) }
    const body = edit(parts.body, [], ([own, ...rest]) => {
      const honest = present(own, 'a message')
      return isFirst ? [message, honest, ...rest] : [honest, message, ...rest]
    })
    return { name: `${type} ${isFirst ? 'before' : 'behind'} it`, kind, says, orSays, unsigned: putTogether({ ...parts, body }) }
  }
  const own = present(readFields(parts.body)[0], 'a message in the body')
  const twice = edit(parts.body, [], (all) => [own, ...all])
  return [
    added('control', WITHDRAW_ADDRESS, record([signer, thief])),
    added('control', GRANT, record([signer, thief])),
    added('control', ALLOWANCE, record([signer, thief])),
    added('transfer', SEND, record([signer, thief, coin])),
    // Of protocols that have these messages it is another validator's, and of others one that nobody knows.
    added('action', oneOf(random, [DELEGATE, UNDELEGATE]), record([signer, validator, coin]), validator.slice(-6)),
    added('action', CLAIM, record([signer, validator]), validator.slice(-6)),
    added('control', REDELEGATE, record([signer, validator, target, coin]), REDELEGATE, target.slice(-6)),
    added('unknown', `/stranger.v${Math.floor(random() * 1e6)}.MsgDo`, record([signer, thief]), '/stranger.v'),
    { name: 'the message twice', kind: 'action', says: 'then', unsigned: putTogether({ ...parts, body: twice }) },
  ]
}

/** Makes the changes of wallets and custodians: another fee, another gas limit, a memo, a timeout, a fee that is granted. */
export function walletChanges(craft: CosmosCraft, chain: ChainFacts): readonly Addition<CosmosCraft>[] {
  const parts = takeApart(craft, chain)
  const put = (fields: readonly Field[], field: Field) =>
    [...fields.filter(({ number }) => number !== field.number), field].sort((a, b) => a.number - b.number)
  const body = (name: string, field: Field) => ({
    name,
    unsigned: putTogether({ ...parts, body: edit(parts.body, [], (all) => put(all, field)) }),
  })
  const fee = (name: string, path: readonly number[], field: Field) => ({
    name,
    unsigned: putTogether({ ...parts, authInfo: edit(parts.authInfo, path, (all) => put(all, field)) }),
  })
  const paid = BigInt(Buffer.from(bytesAt(parts.authInfo, [2, 1, 2])).toString())
  return [
    { name: 'as it was crafted', unsigned: craft, signed: 'same' },
    { ...fee('a higher fee of the wallet', [2, 1], { number: 2, value: textBytes(String(paid + 7n)) }), signed: 'told' },
    // The terms may let it cost less, or have the price of gas higher.
    { ...fee('a fee of the wallet', [2, 1], { number: 2, value: textBytes('123456') }), signed: 'either' },
    { ...fee('a gas limit of the wallet', [2], { number: 2, value: 654_321n }), signed: 'either' },
    fee('a fee that is granted', [2], { number: 4, value: textBytes(bech32(chain.prefix, new Uint8Array(20).fill(7))) }),
    fee('the sign mode of a Ledger', [1, 2, 1], { number: 1, value: 127n }),
    body('a memo of the custodian', { number: 2, value: textBytes('payout 12 <&> é') }),
    body('a timeout', { number: 3, value: 999_999_999n }),
  ]
}

/** Joins body and signature into a signed transaction. */
export function signedBody(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const raw = bytesOf(String(body.unsigned_tx_hex))
  const parts = { body: bytesAt(raw, [1]), authInfo: bytesAt(raw, [2]) }
  const signed = writeFields([...readFields(rawOf(parts)), { number: 3, value: bytesOf(String(body.signature_hex)) }])
  return { signed_tx_hex: hexOf(signed) }
}
