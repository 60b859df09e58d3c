// What a hardware wallet signs, by the converters of @cosmjs/stargate: the document is CosmJS's, its bytes are written here by the rule of sorted JSON.
import { Secp256k1, sha256 } from '@cosmjs/crypto'
import { SigningStargateClient } from '@cosmjs/stargate'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import { bench, privateKey } from './support.ts'

const publicKey = Secp256k1.compressPubkey(Secp256k1.makeKeypair(privateKey).pubkey)

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, sorted(member)] as const)
      .sort(([a], [b]) => a.localeCompare(b)),
  )
}

/** A signer that knows amino alone, as a Ledger does. */
function ledgerOf(address: string) {
  const value = Buffer.from(publicKey).toString('base64')
  return {
    getAccounts: async () => [{ address, algo: 'secp256k1' as const, pubkey: publicKey }],
    async signAmino(_address: string, document: object) {
      const text = JSON.stringify(sorted(document)).replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
      const signature = Secp256k1.createSignature(sha256(Buffer.from(text)), privateKey)
        .toFixedLength()
        .subarray(0, 64)
      const pub_key = { type: 'tendermint/PubKeySecp256k1', value }
      return { signed: document, signature: { pub_key, signature: Buffer.from(signature).toString('base64') } }
    },
  }
}

t.test('a transaction that is signed in amino JSON is taken, as real nodes take it', async (t) => {
  const world = await bench(t)
  const ledger = await SigningStargateClient.connectWithSigner(world.chain.rpcUrl, ledgerOf(world.address) as never)
  t.teardown(() => ledger.disconnect())
  const signed = async (message: object, memo = '') => {
    const { accountNumber, sequence } = await world.client.getSequence(world.address)
    const chainId = await world.client.getChainId()
    return ledger.sign(world.address, [message as never], world.fee, memo, {
      accountNumber: BigInt(accountNumber),
      sequence,
      chainId,
    } as never)
  }
  const landed = async (tx: TxRaw) => {
    await world.client.broadcastTxSync(TxRaw.encode(tx).finish())
    return world.chain.node!.latest.results[0]!
  }
  const to = world.address
  const cancel = () => ({ ...world.undelegate('1').value, creationHeight: world.chain.node!.latest.height })
  const send = { fromAddress: to, toAddress: to, amount: [{ denom: world.denom, amount: '7' }] }
  const cases: readonly (readonly [message: () => object, memo: string])[] = [
    [() => world.delegate('5000000'), 'a memo <&> ü'],
    [() => world.withdraw(), ''],
    [() => world.undelegate('1000000'), ''],
    [() => ({ typeUrl: '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation', value: cancel() }), ''],
    [() => ({ typeUrl: '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress', value: { delegatorAddress: to, withdrawAddress: to } }), ''],
    [() => ({ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: send }), ''],
  ]
  for (const [make, memo] of cases) {
    const message = make()
    const tx = await signed(message, memo)
    t.equal(AuthInfo.decode(tx.authInfoBytes).signerInfos[0]!.modeInfo!.single!.mode, 127)
    const { code, log, events } = await landed(tx)
    t.match([code, log], [0, ''], JSON.stringify(Object.values(message)[0]))
    t.ok(events.some(({ type }) => type === 'tx'))
  }

  const refused = async (tx: TxRaw, log: RegExp) => {
    const answer = await world.client.comet.broadcastTxSync({ tx: TxRaw.encode(tx).finish() })
    t.match([answer.code, answer.log], [4, log])
  }
  const tx = await signed(world.withdraw())
  const body = TxBody.decode(tx.bodyBytes)
  const other = (change: Partial<TxBody>) => ({ ...tx, bodyBytes: TxBody.encode({ ...body, ...change }).finish() })
  await refused(other({ memo: 'another' }), /unable to verify single signer signature/)
  await refused(other({ timeoutHeight: 1_000_000n }), /unable to verify/)
  await refused(
    other({ nonCriticalExtensionOptions: [{ typeUrl: '/a', value: new Uint8Array() }] }),
    /SIGN_MODE_DIRECT and amino JSON only/,
  )
  const authInfo = AuthInfo.decode(tx.authInfoBytes)
  authInfo.signerInfos[0]!.modeInfo = { single: { mode: 2 } }
  await refused({ ...tx, authInfoBytes: AuthInfo.encode(authInfo).finish() }, /SIGN_MODE_DIRECT and amino JSON only/)
})
