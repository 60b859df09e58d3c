/** What differs between two chains of the family, as far as a caller is concerned. All of it comes from you, and none from an answer. */
export interface Hub {
  readonly title: string
  /** Path of the protocol at the service. */
  readonly path: string
  readonly chainId: string
  /** Of account addresses. */
  readonly prefix: string
  /** Base unit: a millionth of the coin. */
  readonly denom: string
  /** The operator's validator, as agreed with the operator. These two are the ones of the sandbox. */
  readonly validator: string
  /** Most that a transaction may cost in fees, in base units: all of a fee is charged, whatever gas is used. */
  readonly maxFee: bigint
  /** How a node is asked what became of a transaction. Celestia's nodes keep no index, but know the status of a hash. */
  readonly lookup: 'tx' | 'tx_status'
}

/** The journey is made once on each. */
export const hubs: readonly Hub[] = [
  {
    title: 'COSMOS HUB',
    path: '/api/v1/hub-one/native',
    chainId: 'cosmoshub-4',
    prefix: 'cosmos',
    denom: 'uatom',
    validator: 'cosmosvaloper1ay5h235p25x4w9ha4k2stravz3u37zppe85tnq',
    maxFee: 50_000n,
    lookup: 'tx',
  },
  {
    title: 'CELESTIA',
    path: '/api/v1/hub-two/native',
    chainId: 'celestia',
    prefix: 'celestia',
    denom: 'utia',
    validator: 'celestiavaloper1j78e9hmwfhjdwr93c5ulwgktfmqp48kc69smjl',
    maxFee: 50_000n,
    lookup: 'tx_status',
  },
]
