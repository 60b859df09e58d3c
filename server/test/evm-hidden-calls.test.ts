import { actsOf, hiddenIn, type Intent } from '@svc/verify/intent'
import { Interface, Transaction } from 'ethers'
import t from 'tap'
import { sources } from './erc7730/sources.ts'

const STRANGER = '0x000000000000000000000000000000000000dEaD'
const SIGNER = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'

const sourceOf = (name: string) => {
  const source = sources.find(({ label }) => label === name)
  if (!source) throw new Error(`no ${name}`)
  return source
}

/** What is hidden in a transaction, in a sentence; null where nothing is. */
async function hiddenOf({ intent, terms }: { intent: Intent; terms: object }, text: string): Promise<string | null> {
  try {
    const found = hiddenIn(intent, terms as never, await actsOf(intent, terms as never, text), () => SIGNER)
    return found && `${found.phrase}, ${found.why}`
  } catch (error) {
    return String(error)
  }
}

t.test('wallets make a legacy transaction one of type 1 or 2; types that do more are not read', async (t) => {
  const source = sourceOf('evm-three')
  const { staking, validator_id: validator, chainId } = source.terms
  const data = new Interface(['function delegate(uint64)']).encodeFunctionData('delegate', [validator])
  const common = { to: String(staking), data, value: 10n ** 18n, chainId: BigInt(chainId), nonce: 3, gasLimit: 100_000n }
  const typed = (more: object) => hiddenOf(source, Transaction.from({ ...common, ...more } as never).unsignedSerialized)
  const fees = { maxFeePerGas: 2n * 10n ** 9n, maxPriorityFeePerGas: 1n }
  t.equal(await typed({ type: 0, gasPrice: 10n ** 9n }), null)
  t.equal(await typed({ type: 1, gasPrice: 10n ** 9n }), null)
  t.equal(await typed({ type: 2, ...fees }), null)
  t.match(await typed({ type: 2, ...fees, data: `0x095ea7b3${'00'.repeat(64)}` }), /0x095ea7b3/)
  t.match(await typed({ type: 1, gasPrice: 1n, data: '0x', to: STRANGER }), /send 1 \w+ to 0x0+dead, a plain transfer/)
  t.match(await typed({ type: 2, ...fees, chainId: 999n }), /999/)
  t.match(await typed({ type: 2, ...fees, accessList: [[STRANGER, []]] }), /access list with entries/)
  t.match(await typed({ type: 4, ...fees, authorizationList: [] }), /of type 4, which lets code act for accounts/)
  t.match(await hiddenOf(source, `0x03${'c0'}`), /of type 3, which carries blobs/)
  t.match(await hiddenOf(source, '0x02c101'), /has 1 fields; it must have 9, or 12/)
  const signed = Transaction.from({ ...common, type: 2, ...fees } as never)
  signed.signature = { r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, v: 27 }
  t.equal(await hiddenOf(source, signed.serialized), null, 'signed as well')
  const { intent, terms } = source
  const { decoded } = await actsOf(intent, terms, signed.serialized)
  t.equal(decoded.maxFee, 100_000n * fees.maxFeePerGas, 'the most that it can cost')
})

t.test('a vault is asked for several things at once only where one action does', async (t) => {
  const source = sourceOf('evm-vault')
  const abi = new Interface([
    'function multicall(bytes[])',
    'function enterExitQueue(uint256, address)',
    'function claimExitedAssets(uint256, uint256, uint256)',
    'function transferVaultAdmin(address)',
  ])
  const leave = (receiver: string) => abi.encodeFunctionData('enterExitQueue', [5n, receiver])
  const claim = abi.encodeFunctionData('claimExitedAssets', [1n, 2n, 3n])
  const found = (...calls: readonly string[]) => {
    const data = abi.encodeFunctionData('multicall', [calls])
    const call = {
      type: 0,
      to: String(source.terms.vault),
      data,
      chainId: BigInt(source.terms.chainId),
      nonce: 0,
      gasLimit: 1n,
      gasPrice: 1n,
    } as const
    return hiddenOf(source, Transaction.from(call).unsignedSerialized)
  }
  t.equal(await found(claim, claim), null, 'claims are one action')
  t.match(await found(leave(SIGNER), claim), /into its exit queue.*then claim/)
  t.match(await found(claim, leave(STRANGER)), /dead/i)
  t.match(await found(claim, abi.encodeFunctionData('transferVaultAdmin', [SIGNER])), /multicall/)
})
