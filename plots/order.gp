# order.gp - the claim's algorithm against its rival and others.
plot for [i=1:has_control] DATA using (x('control')):(y(4)):(lo(5)):(hi(6)) \
         with yerrorlines linetype 3 title CONTROL, \
     for [k=curves:1:-1] DATA using (x('curve'.k)):(y(4)):(lo(5)):(hi(6)) \
         with yerrorlines linetype 10+k title CURVE[k], \
     for [i=1:has_measured] DATA using (x('measured')):(y(4)):(lo(5)):(hi(6)) \
         with yerrorlines linetype 1 title MEASURED
