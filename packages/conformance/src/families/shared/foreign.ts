/** A well-formed address of each family. None belongs to anybody: the bytes were made up. */
const ADDRESSES = {
  evm: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  cosmos: 'cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04',
  svm: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  move: `0x${'11'.repeat(32)}`,
}

/** Lists addresses of the other families, which are invalid for this one: somebody will send to the wrong chain. @param family of the service's own, or any other */
export function foreignAddresses(family: string): readonly string[] {
  return Object.entries(ADDRESSES).flatMap(([name, address]) => (name === family ? [] : [address]))
}
