import type { Choice } from './choices.ts'
import type { StepName } from './use-journey.ts'

/** Where the intent of a protocol is, and what it is called. */
const PACKAGES: Readonly<Record<string, readonly [folder: string, name: string]>> = {
  'evm-three': ['@svc/intent-evm-three', 'evmThree'],
  'evm-three-liquid': ['@svc/intent-evm-three-liquid', 'evmThreeLiquid'],
  'evm-two': ['@svc/intent-evm-two', 'evmTwo'],
  'evm-vault': ['@svc/intent-evm-vault', 'evmVault'],
  'hub-one': ['@svc/intent-hub', 'hubOne'],
  'hub-two': ['@svc/intent-hub', 'hubTwo'],
  'move-native': ['@svc/intent-move-native', 'moveNative'],
  'svm-liquid': ['@svc/intent-svm-liquid', 'svmLiquid'],
  'svm-native': ['@svc/intent-svm-native', 'svmNative'],
}

/** What a program writes for a step; it is what this page itself runs. */
export function programOf(step: StepName, choice: Choice, amount: string): string {
  const { action, signer, signs, network, address } = choice
  const [folder, intent] = PACKAGES[choice.protocol] ?? ['', '']
  const texts: Readonly<Record<StepName, readonly string[]>> = {
    ask: [
      "import { createClient } from '@svc/client'",
      "import { rawSigner } from '@svc/client/signers'",
      `import { ${intent} } from '${folder}'`,
      '',
      '// trust: what `svc trust` printed, from your operator by another way than the API',
      'const svc = createClient({',
      '  trust,',
      '  apiKey,',
      `  protocols: { chosen: { intent: ${intent}, network: '${network}' } },`,
      '})',
      `const tx = await svc.chosen.${action}({`,
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
