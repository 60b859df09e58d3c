// What a Ledger signs, against the writer of @cosmjs/amino and the converters of @cosmjs/stargate, which the kit does not use.
import { makeSignDoc, type StdFee, serializeSignDoc } from '@cosmjs/amino'
import { AminoTypes, createBankAminoConverters, createDistributionAminoConverters, createStakingAminoConverters } from '@cosmjs/stargate'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgSetWithdrawAddress, MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgBeginRedelegate, MsgCancelUnbondingDelegation, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { AuthInfo, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import t from 'tap'
import { aminoSignBytes } from '../src/amino.ts'
import { signatureFit } from '../src/signature-fit.ts'
import { signed } from './support/history.ts'
import { ledger } from './support/ledger.ts'
import { ACCOUNT, accountInfo, connect, hubOne, nodeOf } from './support/node.ts'
import { one } from './support/vectors.ts'

const types = new AminoTypes({ ...createStakingAminoConverters(), ...createDistributionAminoConverters(), ...createBankAminoConverters() })
const outside = one.validator.replace('1yg3', '1yg4')
const amount = fc.record({ denom: fc.constantFrom('uatom', 'ibc/AB<&>'), amount: fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String) })
const parties = { delegatorAddress: fc.constantFrom(one.address, ''), validatorAddress: fc.constant(one.validator) }
const messages = fc.oneof(
  fc.record({ ...parties, amount }).map((value) => ({ codec: MsgDelegate, value: MsgDelegate.fromPartial(value) })),
  fc.record({ ...parties, amount }).map((value) => ({ codec: MsgUndelegate, value: MsgUndelegate.fromPartial(value) })),
  fc
    .record({ ...parties, amount, creationHeight: fc.bigInt({ min: 1n, max: 2n ** 62n }) })
    .map((value) => ({ codec: MsgCancelUnbondingDelegation, value: MsgCancelUnbondingDelegation.fromPartial(value) })),
  fc.record({ delegatorAddress: fc.constant(one.address), amount }).map((value) => ({
    codec: MsgBeginRedelegate,
    value: MsgBeginRedelegate.fromPartial({ ...value, validatorSrcAddress: one.validator, validatorDstAddress: outside }),
  })),
  fc.record(parties).map((value) => ({ codec: MsgWithdrawDelegatorReward, value: MsgWithdrawDelegatorReward.fromPartial(value) })),
  fc.constant({
    codec: MsgSetWithdrawAddress,
    value: MsgSetWithdrawAddress.fromPartial({ delegatorAddress: one.address, withdrawAddress: one.address }),
  }),
  fc.array(amount, { maxLength: 3 }).map((coins) => ({
    codec: MsgSend,
    value: MsgSend.fromPartial({ fromAddress: one.address, toAddress: one.address, amount: coins }),
  })),
)
const transactions = fc.record({
  messages: fc.array(messages, { minLength: 1, maxLength: 3 }),
  memo: fc.oneof(fc.string(), fc.constant('<b>&"\\ é😀')),
  fee: fc.record({
    amount: fc.array(amount, { maxLength: 2 }),
    gas: fc.bigInt({ min: 1n, max: 2n ** 50n }),
    payer: fc.constantFrom('', one.address),
  }),
  granter: fc.constantFrom('', one.address),
  number: fc.bigInt({ min: 0n, max: 2n ** 50n }),
  sequence: fc.bigInt({ min: 0n, max: 2n ** 50n }),
  timeout: fc.constantFrom(0n, 17n),
})

t.test('what is signed in amino JSON is what another writer makes of it', async (t) => {
  let timed = 0
  fc.assert(
    fc.property(transactions, ({ messages, memo, fee, granter, number, sequence, timeout }) => {
      const encoded = messages.map(({ codec, value }) => ({ typeUrl: codec.typeUrl, value: codec.encode(value as never).finish() }))
      const body = TxBody.fromPartial({ messages: encoded, memo, timeoutHeight: timeout })
      const authInfo = AuthInfo.fromPartial({ fee: { amount: fee.amount, gasLimit: fee.gas, payer: fee.payer, granter } })
      const stdFee: StdFee = {
        amount: fee.amount,
        gas: String(fee.gas),
        ...(fee.payer === '' ? {} : { payer: fee.payer }),
        ...(granter === '' ? {} : { granter }),
      }
      const msgs = messages.map(({ codec, value }) => withoutEmpty(types.toAmino({ typeUrl: codec.typeUrl, value })))
      if (timeout > 0n) timed++
      const expected = serializeSignDoc(
        makeSignDoc(msgs, stdFee, one.chainId, memo, String(number), String(sequence), timeout > 0n ? timeout : undefined),
      )
      const written = aminoSignBytes(body, authInfo, { chainId: one.chainId, accountNumber: number, sequence })
      return written !== null && Buffer.from(written).toString() === Buffer.from(expected).toString()
    }),
    { numRuns: 300 },
  )
  t.ok(timed > 0)
})

t.test('what Go escapes and that writer does not is escaped as Go does', async (t) => {
  const body = TxBody.fromPartial({ memo: 'a\u2028b\u2029' })
  const written = aminoSignBytes(body, AuthInfo.fromPartial({ fee: {} }), { chainId: one.chainId, accountNumber: 1n, sequence: 2n })
  t.match(Buffer.from(written!).toString(), '"memo":"a\\u2028b\\u2029"')
  const odd: readonly Partial<TxBody>[] = [
    { unordered: true },
    { timeoutTimestamp: { seconds: 1n, nanos: 0 } },
    { extensionOptions: [{ typeUrl: '/a', value: new Uint8Array() }] },
    { nonCriticalExtensionOptions: [{ typeUrl: '/a', value: new Uint8Array() }] },
    { messages: [{ typeUrl: MsgSend.typeUrl, value: Uint8Array.of(0xff) }] },
  ]
  for (const change of odd)
    t.equal(
      aminoSignBytes(TxBody.fromPartial(change), AuthInfo.fromPartial({ fee: {} }), { chainId: 'a', accountNumber: 1n, sequence: 2n }),
      null,
      'its form is not known',
    )
})

/** The SDK leaves out what is empty; the converters write it. */
function withoutEmpty({ type, value }: { type: string; value: Record<string, unknown> }) {
  return { type, value: Object.fromEntries(Object.entries(value).filter(([, member]) => member !== '')) }
}

t.test("a Ledger's signature fits its own transaction, and no other", async (t) => {
  const fit = (tx: Uint8Array) => {
    const { ctx } = connect(hubOne, nodeOf({ [ACCOUNT]: accountInfo(one.address, one.accountNumber, 8n) }))
    return signatureFit(hubOne, ctx, tx)
  }
  t.equal(await fit(ledger()), 'fits')
  t.equal(await fit(ledger({ memo: 'another' })), 'wrong')
  t.equal(await fit(ledger({ signs: { number: 1n } })), 'wrong')
  t.equal(await fit(ledger({ vote: true })), 'unknown', 'a message whose form is not known')
  t.equal(await fit(signed(one.claim)), 'fits', 'as it is signed here')
})
