import type { Choice } from './choices.ts'
import type { StepName } from './use-journey.ts'

/** Returns the code that a program has for a step; this page itself runs it. @param intent name under which the package exports the protocol's intent */
export function programOf(step: StepName, choice: Choice, amount: string, intent: string): string {
  const { action, signer, signs, network, address, entry } = choice
  const texts: Readonly<Record<StepName, readonly string[]>> = {
    ask: [
      "import { createClient } from '@svc/client'",
      "import { rawSigner } from '@svc/client/signers'",
      `import { ${intent} } from '${entry.package}'`,
      '',
      '// trust: what `svc trust` printed, from your operator by another way than the API',
      'const svc = createClient({',
      '  trust,',
      '  apiKey,',
      `  protocols: { chosen: { intent: ${intent}, network: '${network}' } },`,
      '})',
      `const tx = await svc.chosen.${camel(action)}({`,
      `  ${signer}: '${signs}',`,
      `  amount: '${amount}',`,
      '})',
    ],
    check: ['// It was checked before it was given: what is not as asked throws a MismatchError.', 'tx.sentence', 'tx.moves', 'tx.assumed'],
    sign: [
      '// Your wallet, hardware module, key service or custodian: it is given bytes.',
      'const signed = await tx.sign(rawSigner({ sign: (bytes) => custodian.sign(bytes) }))',
    ],
    send: ['const { txHash } = await svc.chosen.send(signed) // prepare, compare, broadcast once'],
    see: [
      'const { status, block } = await svc.chosen.settled(txHash) // waits until it stays',
      `const { staked, activating, objects } = await svc.chosen.balance('${address}')`,
    ],
  }
  return texts[step].join('\n')
}

/** The name of an action's method: `claimRewards`. */
function camel(action: string): string {
  return action.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
