/** Where the descriptor of a protocol is. */
export function fileOf(label: string): URL {
  return new URL(`../../../docs/erc7730/calldata-${label}.json`, import.meta.url)
}
