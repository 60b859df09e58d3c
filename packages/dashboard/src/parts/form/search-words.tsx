import { useEffect, useRef, useState } from 'preact/hooks'
import { setQuery } from '../../router/router.ts'
import { named } from '../../state/names.ts'
import { type Sought, soughtBy } from '../../text/pasted.ts'
import { looksSecret } from '../../text/secret.ts'
import { Note } from '../notice/note.tsx'
import { Button } from './button.tsx'
import { Search } from './search.tsx'

/** Time that typing rests before the text is searched, in milliseconds: a choice of this project. */
const REST_MS = 300

/**
 * A field for words that stand in the address as `q`, and are searched for by the service once the typing rests. The name of a protocol or network that is pasted, or typed
 * with Enter, becomes the filter that it is; one that is typed may be the beginning of more, and is offered.
 */
export function SearchWords({
  label,
  value,
  byPart = false,
}: {
  readonly label: string
  readonly value: string
  /** True if any part of a word finds it, so that none is too little. */
  readonly byPart?: boolean
}) {
  const [typed, setTyped] = useState(value)
  const lastQuery = useRef(value)
  const secret = looksSecret(typed)
  const sought = soughtBy(typed, named.value)
  // The address was changed by a step back, or by clearing all filters.
  if (lastQuery.current !== value) {
    lastQuery.current = value
    setTyped(value)
  }
  const apply = (match: Sought) => {
    const q = match.by === 'q' ? match.value : ''
    lastQuery.current = q
    setTyped(q)
    setQuery(match.by === 'q' ? { q } : { q: null, [match.by]: match.value })
  }
  useEffect(() => {
    const words = sought.by === 'q' ? sought.value : typed.trim()
    if (secret || words === value) return
    const timer = window.setTimeout(() => {
      lastQuery.current = words
      setQuery({ q: words })
    }, REST_MS)
    return () => window.clearTimeout(timer)
  }, [typed])
  return (
    <>
      <Search
        label={label}
        value={typed}
        onValue={(text, pasted) => {
          const search = soughtBy(text, named.peek())
          if (pasted && search.by !== 'q') apply(search)
          else setTyped(text)
        }}
        onEnter={() => {
          if (!secret) apply(sought)
        }}
      />
      {secret ? (
        <Note kind="warn" alert>
          That is the value of a key or token, which is not searched for: it would stand in the address. Choose the key by its name, or
          delete it if others may have seen its value.
        </Note>
      ) : sought.by !== 'q' ? (
        <Note>
          <div class="with-action">
            “{sought.name}” is a {sought.by}.<Button onClick={() => apply(sought)}>Show this {sought.by} alone</Button>
          </div>
        </Note>
      ) : sought.hint === null || (byPart && !/…|\.\.\./.test(typed)) ? null : (
        <Note>{sought.hint}</Note>
      )}
    </>
  )
}
