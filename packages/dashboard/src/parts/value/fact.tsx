import type { ComponentChildren } from 'preact'
import { Icon } from '../layout/icon.tsx'

/** A name and its value in a list of such; nothing where there is no value. `only` narrows a list to what has the same, and is named by its first part. */
export function Fact({
  name,
  only,
  children,
}: {
  readonly name: string
  readonly only?: readonly [label: string, run: () => void] | null
  readonly children: ComponentChildren
}) {
  if (children === null || children === undefined) return null
  return (
    <div class="pair">
      <dt>{name}</dt>
      <dd class={only ? 'filterable' : ''}>
        <span>{children}</span>
        {only ? (
          <button type="button" class="only" aria-label={`Show only ${only[0]}`} title="Show only these" onClick={only[1]}>
            <Icon name="filter" />
          </button>
        ) : null}
      </dd>
    </div>
  )
}
