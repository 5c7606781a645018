# order.gp - the claim's algorithm against its rival and others.
plot for [i=1:has_before] DATA using (x('before')):(y(4)) with linespoints linetype 4 title BEFORE, \
     for [i=1:has_control] DATA using (x('control')):(y(4)):(lo(5)):(hi(6)) \
         with yerrorlines linetype 3 title CONTROL, \
     for [k=1:curves] DATA using (x('curve'.nth(k))):(y(4)):(lo(5)):(hi(6)) \
         with yerrorlines linetype 10+nth(k) title CURVE[nth(k)], \
     for [i=1:has_measured] DATA using (x('measured')):(y(4)):(lo(5)):(hi(6)) \
         with yerrorlines linetype 1 title MEASURED
