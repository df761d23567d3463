import fc from 'fast-check'

/* Property tests generate the same values in every run; FAST_CHECK_SEED generates others. */

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) })
