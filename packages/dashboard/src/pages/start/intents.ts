import type { Intent } from '@svc/verify/intent'

/** What callers of each protocol are promised, by the short name of its plugin: loaded when it is chosen. */
const INTENTS: Readonly<Record<string, () => Promise<Intent>>> = {
  'evm-three': async () => (await import('@svc/intent-evm-three')).evmThree,
  'evm-three-liquid': async () => (await import('@svc/intent-evm-three-liquid')).evmThreeLiquid,
  'evm-two': async () => (await import('@svc/intent-evm-two')).evmTwo,
  'evm-vault': async () => (await import('@svc/intent-evm-vault')).evmVault,
  'hub-one': async () => (await import('@svc/intent-hub')).hubOne,
  'hub-two': async () => (await import('@svc/intent-hub')).hubTwo,
  'move-native': async () => (await import('@svc/intent-move-native')).moveNative,
  'svm-liquid': async () => (await import('@svc/intent-svm-liquid')).svmLiquid,
  'svm-native': async () => (await import('@svc/intent-svm-native')).svmNative,
}

/** Short names of the protocols that this page can check. The first is offered first. */
export const checkable: readonly string[] = Object.keys(INTENTS)

/** The intent of a protocol. @throws Error for one that is not `checkable` */
export async function intentOf(protocol: string): Promise<Intent> {
  const load = INTENTS[protocol]
  if (!load) throw new Error(`There is no intent of ${protocol} in this page; it has ${checkable.join(', ')}.`)
  return await load()
}
