/*
 * What of one framework answers what of another, in our own judgement, a line for each requirement on the left:
 *
 *   =  asks the same as       <  is a part of
 *   ~  overlaps with          >  covers all of
 *
 * Most overlap: standards seldom ask the very same, and what is only partly covered should not look done. What is not
 * here we do not know to be related.
 */

export const ISO_27001_TO_NIST_CSF = `
4.1 ~ GV.OC-01
4.2 ~ GV.OC-02
5.1 ~ GV.RR-01
5.2 ~ GV.PO-01, GV.PO-02
5.3 ~ GV.RR-02
6.1.2 ~ GV.RM-06, ID.RA-04, ID.RA-05
6.1.3 ~ GV.RM-04, ID.RA-06
6.2 ~ GV.RM-01
7.1 ~ GV.RR-03
7.2 ~ PR.AT-02
7.3 ~ PR.AT-01
8.2 ~ ID.RA-05
8.3 ~ ID.RA-06
9.1 ~ GV.OV-03
9.2.1 ~ ID.IM-01
9.3.1 ~ GV.OV-02
9.3.3 ~ GV.OV-01
10.2 ~ ID.IM-03
A.5.1 ~ GV.PO-01, GV.PO-02
A.5.2 ~ GV.RR-02
A.5.3 < PR.AA-05
A.5.4 ~ GV.RR-01, GV.RR-04
A.5.5 ~ RS.CO-02
A.5.6 ~ ID.RA-02
A.5.7 ~ ID.RA-02, ID.RA-03, DE.AE-07
A.5.9 ~ ID.AM-01, ID.AM-02, ID.AM-07
A.5.10 ~ ID.AM-08
A.5.11 ~ ID.AM-08
A.5.12 ~ ID.AM-05
A.5.14 ~ PR.DS-02
A.5.15 ~ PR.AA-05
A.5.16 ~ PR.AA-01, PR.AA-02
A.5.17 < PR.AA-01
A.5.18 ~ PR.AA-05
A.5.19 ~ GV.SC-01, GV.SC-03, GV.SC-06, GV.SC-07
A.5.20 = GV.SC-05
A.5.21 ~ GV.SC-01, GV.SC-09
A.5.22 ~ GV.SC-07, GV.SC-09
A.5.23 ~ ID.AM-04, GV.SC-10
A.5.24 ~ ID.IM-04, GV.SC-08
A.5.25 ~ DE.AE-08, RS.MA-02, RS.MA-03
A.5.26 ~ RS.MA-01, RS.MI-01, RS.MI-02
A.5.27 ~ ID.IM-03, RS.AN-03
A.5.28 ~ RS.AN-06, RS.AN-07
A.5.29 ~ PR.IR-03
A.5.30 ~ PR.IR-03, RC.RP-01
A.5.31 < GV.OC-03
A.5.34 ~ GV.OC-03
A.5.35 ~ ID.IM-01
A.5.36 ~ ID.IM-01, GV.OV-03
A.6.1 < GV.RR-04
A.6.2 < GV.RR-04
A.6.3 > PR.AT-01, PR.AT-02
A.6.4 ~ GV.RR-04
A.6.5 < GV.RR-04
A.7.1 ~ PR.AA-06
A.7.2 < PR.AA-06
A.7.3 < PR.AA-06
A.7.4 < DE.CM-02
A.7.5 < PR.IR-02
A.7.8 ~ PR.IR-02
A.7.10 ~ ID.AM-08, PR.DS-01
A.7.11 ~ PR.IR-02
A.7.13 < PR.PS-03
A.7.14 < ID.AM-08
A.8.1 ~ PR.PS-01
A.8.2 < PR.AA-05
A.8.3 < PR.AA-05
A.8.5 ~ PR.AA-03
A.8.6 = PR.IR-04
A.8.7 ~ PR.PS-05, DE.CM-09
A.8.8 ~ ID.RA-01, ID.RA-08, PR.PS-02
A.8.9 = PR.PS-01
A.8.10 ~ ID.AM-08
A.8.11 ~ PR.DS-01
A.8.12 ~ PR.DS-01, PR.DS-02, PR.DS-10
A.8.13 = PR.DS-11
A.8.14 ~ PR.IR-03
A.8.15 > PR.PS-04
A.8.16 ~ DE.CM-01, DE.CM-09, DE.AE-02
A.8.18 < PR.AA-05
A.8.19 ~ PR.PS-02, PR.PS-05
A.8.20 ~ PR.IR-01
A.8.21 ~ PR.IR-01
A.8.22 < PR.IR-01
A.8.24 ~ PR.DS-01, PR.DS-02
A.8.25 ~ PR.PS-06
A.8.26 < PR.PS-06
A.8.27 < PR.PS-06
A.8.28 < PR.PS-06
A.8.29 < PR.PS-06
A.8.30 ~ PR.PS-06
A.8.31 < PR.IR-01
A.8.32 ~ ID.RA-07, PR.PS-01
`

export const ISO_27001_TO_SOC_2 = `
5.1 ~ CC1.1
5.3 ~ CC1.3
6.1.2 ~ CC3.1, CC3.2
6.1.3 ~ CC5.1
6.2 ~ CC3.1
6.3 ~ CC3.4
7.2 ~ CC1.4
7.3 ~ CC2.2
7.4 ~ CC2.2, CC2.3
8.2 ~ CC3.2, CC3.4
9.1 ~ CC4.1
9.2.1 ~ CC4.1
9.3.3 ~ CC4.2
10.2 ~ CC4.2
A.5.1 ~ CC2.2, CC5.3
A.5.2 ~ CC1.3
A.5.3 < CC6.3
A.5.4 ~ CC1.1, CC1.5
A.5.7 ~ CC3.2
A.5.9 ~ CC6.1
A.5.12 ~ C1.1
A.5.13 ~ C1.1
A.5.14 ~ CC6.7
A.5.15 ~ CC6.1, CC6.3
A.5.16 ~ CC6.2
A.5.17 ~ CC6.1
A.5.18 ~ CC6.2, CC6.3
A.5.19 ~ CC9.2
A.5.20 ~ CC9.2, CC2.3
A.5.21 ~ CC9.2
A.5.22 ~ CC9.2
A.5.24 ~ CC7.4
A.5.25 = CC7.3
A.5.26 ~ CC7.4
A.5.27 ~ CC7.5
A.5.29 ~ CC7.5, CC9.1
A.5.30 ~ CC9.1, A1.3
A.5.34 ~ P8.1
A.5.35 ~ CC4.1
A.5.36 ~ CC4.1
A.5.37 ~ CC5.3
A.6.1 ~ CC1.4
A.6.3 ~ CC1.4, CC2.2
A.6.4 ~ CC1.5
A.6.6 ~ C1.1
A.6.7 ~ CC6.6
A.6.8 ~ CC2.2
A.7.1 ~ CC6.4
A.7.2 < CC6.4
A.7.5 < A1.2
A.7.9 ~ CC6.7
A.7.10 ~ CC6.5, CC6.7
A.7.11 < A1.2
A.7.14 < CC6.5
A.8.2 < CC6.3
A.8.3 < CC6.1
A.8.5 < CC6.1
A.8.6 = A1.1
A.8.7 ~ CC6.8
A.8.8 < CC7.1
A.8.9 ~ CC7.1
A.8.10 ~ C1.2, CC6.5
A.8.12 ~ CC6.7, C1.1
A.8.13 ~ A1.2, A1.3
A.8.14 < A1.2
A.8.15 ~ CC7.2
A.8.16 < CC7.2
A.8.19 ~ CC6.8
A.8.20 ~ CC6.6
A.8.22 ~ CC6.1, CC6.6
A.8.24 ~ CC6.1, CC6.7
A.8.25 ~ CC8.1
A.8.29 < CC8.1
A.8.31 ~ CC8.1
A.8.32 < CC8.1
`

export const ISO_27001_TO_NIS_2 = `
5.1 ~ Art. 20(1)
5.2 ~ Art. 21(2)(a)
6.1.2 ~ Art. 21(2)(a)
6.1.3 ~ Art. 21(1)
7.2 ~ Art. 20(2)
7.3 ~ Art. 21(2)(g)
8.2 ~ Art. 21(2)(a)
9.1 ~ Art. 21(2)(f)
9.2.1 ~ Art. 21(2)(f)
9.3.1 ~ Art. 20(1)
10.2 ~ Art. 21(4)
A.5.1 ~ Art. 21(2)(a)
A.5.5 ~ Art. 23(1), Art. 23(4)
A.5.7 ~ Art. 29
A.5.9 < Art. 21(2)(i)
A.5.14 ~ Art. 21(2)(j)
A.5.15 < Art. 21(2)(i)
A.5.16 < Art. 21(2)(i)
A.5.17 ~ Art. 21(2)(j)
A.5.18 < Art. 21(2)(i)
A.5.19 ~ Art. 21(2)(d), Art. 21(3)
A.5.20 < Art. 21(2)(d)
A.5.21 ~ Art. 21(2)(d), Art. 21(3)
A.5.22 ~ Art. 21(2)(d), Art. 21(3)
A.5.23 ~ Art. 21(2)(d)
A.5.24 < Art. 21(2)(b)
A.5.25 < Art. 21(2)(b)
A.5.26 < Art. 21(2)(b)
A.5.27 < Art. 21(2)(b)
A.5.29 < Art. 21(2)(c)
A.5.30 < Art. 21(2)(c)
A.5.35 < Art. 21(2)(f)
A.5.36 < Art. 21(2)(f)
A.6.1 < Art. 21(2)(i)
A.6.3 ~ Art. 20(2), Art. 21(2)(g)
A.6.5 < Art. 21(2)(i)
A.6.8 < Art. 21(2)(b)
A.8.2 < Art. 21(2)(i)
A.8.5 ~ Art. 21(2)(j)
A.8.8 < Art. 21(2)(e)
A.8.13 < Art. 21(2)(c)
A.8.14 ~ Art. 21(2)(c)
A.8.24 = Art. 21(2)(h)
A.8.25 < Art. 21(2)(e)
A.8.26 < Art. 21(2)(e)
A.8.28 < Art. 21(2)(e)
A.8.29 < Art. 21(2)(e)
A.8.32 < Art. 21(2)(e)
`

export const ISO_27001_TO_DORA = `
5.1 ~ Art. 5
5.3 ~ Art. 5
6.1.2 ~ Art. 6
6.1.3 ~ Art. 6
7.4 ~ Art. 14
8.2 ~ Art. 8
9.2.1 ~ Art. 6
A.5.1 ~ Art. 6
A.5.5 ~ Art. 19
A.5.6 ~ Art. 45
A.5.7 ~ Art. 13, Art. 45
A.5.9 ~ Art. 8
A.5.12 ~ Art. 8
A.5.15 < Art. 9
A.5.19 ~ Art. 28
A.5.20 ~ Art. 30
A.5.21 ~ Art. 28, Art. 29
A.5.22 ~ Art. 28
A.5.24 ~ Art. 17
A.5.25 ~ Art. 18
A.5.26 ~ Art. 11, Art. 17
A.5.27 ~ Art. 13, Art. 17
A.5.29 ~ Art. 11
A.5.30 ~ Art. 11
A.5.35 ~ Art. 6, Art. 24
A.6.3 ~ Art. 13
A.8.5 < Art. 9
A.8.6 < Art. 7
A.8.8 ~ Art. 25
A.8.13 ~ Art. 12
A.8.14 ~ Art. 12
A.8.16 ~ Art. 10
A.8.20 < Art. 9
A.8.24 < Art. 9
A.8.29 ~ Art. 25
A.8.32 < Art. 9
`

export const ISO_27001_TO_GDPR = `
A.5.14 ~ Art. 32
A.5.20 ~ Art. 28
A.5.26 ~ Art. 33
A.5.34 ~ Art. 24, Art. 32
A.8.3 ~ Art. 32
A.8.10 ~ Art. 5
A.8.11 ~ Art. 25, Art. 32
A.8.13 ~ Art. 32
A.8.24 ~ Art. 32
`

/** The same ways of managing, for another matter. */
export const ISO_27001_TO_ISO_42001 = `
4.1 ~ 4.1
4.2 ~ 4.2
4.3 ~ 4.3
4.4 ~ 4.4
5.1 ~ 5.1
5.2 ~ 5.2
5.3 ~ 5.3
6.1.1 ~ 6.1.1
6.1.2 ~ 6.1.2
6.1.3 ~ 6.1.3
6.2 ~ 6.2
6.3 ~ 6.3
7.1 ~ 7.1
7.2 ~ 7.2
7.3 ~ 7.3
7.4 ~ 7.4
7.5.1 ~ 7.5.1
7.5.2 ~ 7.5.2
7.5.3 ~ 7.5.3
8.1 ~ 8.1
8.2 ~ 8.2
8.3 ~ 8.3
9.1 ~ 9.1
9.2.1 ~ 9.2.1
9.2.2 ~ 9.2.2
9.3.1 ~ 9.3.1
9.3.2 ~ 9.3.2
9.3.3 ~ 9.3.3
10.1 ~ 10.1
10.2 ~ 10.2
`

export const ISO_42001_TO_EU_AI_ACT = `
4.4 ~ Art. 17
6.1.2 ~ Art. 9
6.1.3 ~ Art. 9
6.1.4 ~ Art. 27
7.2 ~ Art. 4
7.3 ~ Art. 4
7.5.3 ~ Art. 18
8.4 ~ Art. 27
10.2 ~ Art. 20
A.2.2 ~ Art. 17
A.4.3 ~ Art. 10
A.4.6 ~ Art. 4
A.5.2 ~ Art. 27
A.5.4 ~ Art. 27
A.6.1.3 ~ Art. 17
A.6.2.3 ~ Art. 11
A.6.2.4 ~ Art. 15
A.6.2.6 ~ Art. 26, Art. 72
A.6.2.7 ~ Art. 11, Art. 53
A.6.2.8 ~ Art. 12, Art. 19
A.7.2 ~ Art. 10
A.7.3 ~ Art. 10
A.7.4 ~ Art. 10
A.7.5 ~ Art. 10
A.7.6 ~ Art. 10
A.8.2 ~ Art. 13
A.8.3 ~ Art. 73
A.8.4 ~ Art. 73
A.9.2 ~ Art. 14, Art. 26
A.9.4 ~ Art. 26
A.10.2 ~ Art. 25
A.10.3 ~ Art. 25
`

export const NIS_2_TO_DORA = `
Art. 20(1) ~ Art. 5
Art. 20(2) ~ Art. 5
Art. 21(2)(a) ~ Art. 6
Art. 21(2)(b) ~ Art. 17
Art. 21(2)(c) ~ Art. 11, Art. 12
Art. 21(2)(d) ~ Art. 28
Art. 21(2)(f) ~ Art. 24
Art. 21(2)(h) < Art. 9
Art. 23(1) ~ Art. 19
Art. 23(4) ~ Art. 19
Art. 29 ~ Art. 45
`
