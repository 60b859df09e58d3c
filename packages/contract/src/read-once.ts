/**
 * Caches the reading of each body, so that naming, recording and sending a request all use one reading of the same bytes.
 *
 * @param read whose result nobody changes; where it throws, the next call reads again
 * @returns the same function, which keeps its last result for each body, with the network it was read for
 */
export function readOnce<Body extends object, Network extends [] | [network: object], T>(
  read: (body: Body, ...network: Network) => T,
): (body: Body, ...network: Network) => T {
  const readings = new WeakMap<Body, { readonly network: object | undefined; readonly value: T }>()
  return (body, ...network) => {
    const earlier = readings.get(body)
    if (earlier && earlier.network === network[0]) return earlier.value
    const value = read(body, ...network)
    readings.set(body, { network: network[0], value })
    return value
  }
}
