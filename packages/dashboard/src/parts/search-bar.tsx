import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { narrow } from '../state/media.ts'
import { Button } from './button.tsx'
import { SearchWords } from './search-words.tsx'

/** A field for words and choices beside it, which are folded where the window is narrow. */
export function SearchBar({
  words,
  chosen,
  children,
  below,
}: {
  /** What is searched for. */
  readonly words: string | undefined
  /** How many of the choices are made. */
  readonly chosen: number
  readonly children: ComponentChildren
  /** Stands below the bar, and is folded with the choices. */
  readonly below?: ComponentChildren
}) {
  const [unfolded, setUnfolded] = useState(false)
  const folded = narrow.value && !unfolded
  return (
    <>
      <div class="toolbar">
        <SearchWords label="Sentence, wallet, hash or request id" value={words ?? ''} />
        {narrow.value ? (
          <Button icon="filter" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {chosen === 0 ? 'Filters' : `Filters, ${chosen} chosen`}
          </Button>
        ) : null}
        {folded ? null : children}
      </div>
      {folded ? null : below}
    </>
  )
}
