// What provenance needs of the manifests, as far as it can be told on a machine that is no host: npm proves where a package was built only in a run of GitHub
// Actions or GitLab CI, in a public repository that every manifest names. Source: npm's documentation, "Generating provenance statements" (read 2026-11-27).

/**
 * @param releases what was published, with manifests
 * @returns sentences for the person who will release
 * @throws when a manifest could not be published so: it is not public, or names another repository than the others
 */
export function provenanceOf(releases) {
  const closed = releases.filter(({ manifest }) => manifest.publishConfig?.access !== 'public')
  if (closed.length > 0) throw new Error(`publishConfig.access is not public: ${closed.map(({ name }) => name).join(', ')}`)
  // It would end every release that is not made by a host, a rehearsal too: it is set by NPM_CONFIG_PROVENANCE=true where a host releases.
  const fixed = releases.filter(({ manifest }) => manifest.publishConfig.provenance !== undefined)
  if (fixed.length > 0) throw new Error(`publishConfig.provenance is set: ${fixed.map(({ name }) => name).join(', ')}`)
  const addresses = new Set(releases.map(({ manifest }) => manifest.repository?.url ?? manifest.repository))
  if (addresses.size > 1)
    throw new Error(
      `the manifests name ${addresses.size} repositories; provenance needs the one that builds them: ${[...addresses].join(', ')}`,
    )
  const [address] = addresses
  return [
    'Not rehearsed: provenance. Only a host proves where a package was built; there, set NPM_CONFIG_PROVENANCE=true and let the job have `id-token: write`.',
    address === undefined
      ? 'Before that every manifest has to name the repository (CONTRIBUTING.md, Releasing); none does yet.'
      : `Every manifest names ${address}; the host has to build in that very repository, in this spelling.`,
  ]
}
