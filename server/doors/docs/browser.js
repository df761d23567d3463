/*
 * What the pages of the documentation do beyond being read: the colours chosen in the app, a button that copies each
 * block of code, results while one types a search, and on a telephone the navigation folded. Without it the search is
 * a page of its own.
 */
;(() => {
  try {
    const scheme = localStorage.getItem('mantine-color-scheme-value')
    if (scheme === 'light' || scheme === 'dark') document.documentElement.style.colorScheme = scheme
  } catch {
    // A browser that keeps nothing for us has only its system's word.
  }

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties)
    made.append(...children)
    return made
  }

  function addCopyButtons() {
    for (const block of document.querySelectorAll('figure.code')) {
      const label = block.querySelector('figcaption')
      const button = element('button', { type: 'button', textContent: 'Copy' })
      button.setAttribute('aria-label', `Copy ${label.textContent}`)
      const said = element('span', { className: 'unseen', role: 'status' })
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(block.querySelector('pre').textContent)
        button.textContent = said.textContent = 'Copied'
        setTimeout(() => {
          button.textContent = 'Copy'
          said.textContent = ''
        }, 1500)
      })
      label.append(button, said)
    }
  }

  function searchWhileTyping() {
    const form = document.querySelector('[role=search]')
    const input = form.querySelector('input')
    const found = element('div', { className: 'found', hidden: true })
    const count = element('span', { className: 'unseen', role: 'status' })
    form.append(found, count)
    const close = () => {
      found.hidden = true
    }
    let asked = ''
    const show = async () => {
      asked = input.value.trim()
      if (asked === '') return close()
      const q = asked
      const answer = await fetch(`/docs/find.json?q=${encodeURIComponent(q)}`).catch(() => null)
      if (!answer?.ok || q !== asked) return
      const { data } = await answer.json()
      found.replaceChildren(
        ...data
          .slice(0, 12)
          .map(({ title, hint, href }) =>
            element(
              'a',
              { href },
              element('strong', { textContent: title }),
              element('span', { textContent: hint }),
            ),
          ),
        ...(data.length === 0 ? [element('p', { textContent: 'Nothing is called that.' })] : []),
      )
      count.textContent = data.length === 1 ? 'One result' : `${data.length} results`
      found.hidden = false
    }
    let waiting
    input.addEventListener('input', () => {
      clearTimeout(waiting)
      waiting = setTimeout(show, 120)
    })
    input.addEventListener('focus', () => {
      if (input.value.trim() !== '' && found.childElementCount > 0) found.hidden = false
    })
    form.addEventListener('keydown', (event) => {
      const links = [...found.querySelectorAll('a')]
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (event.key === 'Escape') {
        close()
        input.focus()
      } else if (step && !found.hidden) {
        event.preventDefault()
        const next = links.indexOf(document.activeElement) + step
        ;(next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus()
      }
    })
    form.addEventListener('focusout', ({ relatedTarget }) => {
      if (!form.contains(relatedTarget)) close()
    })
    found.addEventListener('click', close)
    document.addEventListener('keydown', (event) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.focus()
    })
  }

  // On a telephone the page comes first, and its neighbours when asked for.
  function foldWhereNarrow() {
    const links = document.querySelector('nav details')
    const narrow = matchMedia('(max-width: 48rem)')
    const fold = () => {
      links.open = !narrow.matches
    }
    narrow.addEventListener('change', fold)
    fold()
  }

  document.addEventListener('DOMContentLoaded', () => {
    foldWhereNarrow()
    addCopyButtons()
    searchWhileTyping()
  })
})()
