import { Component, type ReactNode } from 'react'
import { problems } from '../copy/problems.ts'
import { Entrance } from './entrance.tsx'
import { ProblemAlert } from './problem-alert.tsx'

/** Says so where a page could not be drawn, in a document that has no router to do it. */
export class FaultBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null }

  static getDerivedStateFromError = (error: unknown) => ({ error })

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Entrance title={problems.page}>
        <ProblemAlert error={error} reload />
      </Entrance>
    )
  }
}
