import { VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconPin } from '@tabler/icons-react'
import { memo } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { Field } from '../../client/fields.ts'
import { recordAddress } from '../../client/list-address.ts'
import { AppLink } from '../../components/app-link.tsx'
import { attentionOf } from '../../components/attention.ts'
import { AttentionMark } from '../../components/attention-mark.tsx'
import { ColourMark } from '../../components/colour-mark.tsx'
import { PrincipalMark } from '../../components/principal-mark.tsx'
import { SharesInLine } from '../../components/share-bar.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { optionOf } from '../../copy/records.ts'
import styles from './frameworks.module.css'
import type { Branch, Requirement } from './requirement-tree.ts'
import { sharesOfResults } from './result-shares.ts'

const words = frameworks.tree

interface Drawn {
  kind: DescribedKind
  result: Field
  isOpen: (id: string) => boolean
  toggle: (id: string, isOpen: boolean) => void
}

/** Headings that can be folded, each with a bar, and the requirements under them. */
export function Tree({ branches, ...drawn }: Drawn & { branches: readonly Branch[] }) {
  return (
    <ul className={styles.tree} aria-label={words.title}>
      {branches.map((branch) => (
        <BranchOf key={branch.requirement.id} branch={branch} {...drawn} />
      ))}
    </ul>
  )
}

function BranchOf({ branch, ...drawn }: Drawn & { branch: Branch }) {
  const { requirement, below } = branch
  // What is asked itself stands as a row, with what belongs to it under it; a heading stands for what is under it.
  const isHeading = below.length > 0 && !requirement.assessable
  const isOpen = !isHeading || drawn.isOpen(requirement.id)
  return (
    <li className={isHeading ? styles.branch : undefined}>
      {isHeading ? (
        <Heading branch={branch} result={drawn.result} isOpen={isOpen} toggle={drawn.toggle} />
      ) : (
        <Row kind={drawn.kind} result={drawn.result} requirement={requirement} />
      )}
      {below.length > 0 && isOpen && (
        <ul>
          {below.map((one) => (
            <BranchOf key={one.requirement.id} branch={one} {...drawn} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Heading({
  branch: { requirement, results },
  result,
  isOpen,
  toggle,
}: Pick<Drawn, 'result' | 'toggle'> & { branch: Branch; isOpen: boolean }) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <button
      type="button"
      className={styles.heading}
      aria-expanded={isOpen}
      onClick={() => toggle(requirement.id, !isOpen)}
    >
      <Chevron size={14} aria-hidden />
      <span className={styles.key}>{requirement.key}</span>
      <span className={styles.name}>{requirement.title}</span>
      <SharesInLine shares={sharesOfResults(result, results)} />
    </button>
  )
}

/** Light, since there may be more than a thousand. */
const Row = memo(function Row({
  kind,
  result,
  requirement,
}: Pick<Drawn, 'kind' | 'result'> & { requirement: Requirement }) {
  const { id, key, title, owner, assessable, resultPinned, resultReason } = requirement
  return (
    <div className={styles.row} data-aside={!requirement.inScope || undefined}>
      <span className={styles.key}>{key}</span>
      <AppLink href={recordAddress(kind, id)} className={styles.name}>
        {title}
      </AppLink>
      {assessable && (
        <span className={styles.result}>
          {isOutside(requirement) ? (
            words.outOfScope
          ) : (
            <ColourMark colour={result.colours![requirement.result]}>
              {optionOf(result, requirement.result)}
            </ColourMark>
          )}
          {resultPinned && (
            <span title={words.pinned(resultReason)}>
              <IconPin size={14} aria-hidden />
              <VisuallyHidden>{`, ${words.pinned(null)}`}</VisuallyHidden>
            </span>
          )}
          <AttentionMark kind={kind} asks={attentionOf(kind, requirement)} />
        </span>
      )}
      <span className={styles.owner}>{owner && <PrincipalMark principal={owner} />}</span>
    </div>
  )
})

/** Of another level than the one that is aimed at: whether it applies is not the question. */
const isOutside = ({ inScope, result }: Requirement): boolean => !inScope && result !== 'not_applicable'
