/**
 * Puts tables of error codes together by who declares them: a family, a plugin, or the service, whose table several packages share. A reader of the whole would see the text of one
 * package only where two declare the same code.
 *
 * @param {readonly { owner: string, name: string, errorCodes: Readonly<Record<string, readonly [number, string]>> }[]} tables of packages, by their npm names
 * @returns each owner's codes, and a sentence for each code that an owner declares in two packages, with both texts
 */
export function byOwner(tables) {
  const owners = new Map()
  const repeated = []
  for (const { owner, name, errorCodes } of tables) {
    const codes = owners.get(owner) ?? new Map()
    owners.set(owner, codes)
    for (const [code, [status, meaning]] of Object.entries(errorCodes)) {
      const earlier = codes.get(code)
      if (earlier === undefined) codes.set(code, { name, status, meaning })
      else {
        const places = [earlier, { name, status, meaning }].map((each) => `${each.name} (${each.status}, "${each.meaning}")`)
        repeated.push(`The ${owner} declares ${code} twice, in ${places.join(' and in ')}; leave it in one of them.`)
      }
    }
  }
  return { owners, repeated }
}
